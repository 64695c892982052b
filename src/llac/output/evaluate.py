

# ---- predictions with intervals, as the command predict of llac makes them

CllPrediction = collections.namedtuple(
    "CllPrediction", "value low high single_low single_high extrapolates remarks")


class CllNoValue(ValueError):
    """The model has no value at this place."""


def cll_beta_fraction(a, b, x):
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b)*x/(a + 1)
    d = 1/(d if abs(d) > tiny else tiny)
    h = d
    for m in range(1, 10000):
        for numerator in (m*(b - m)*x/((a + 2*m - 1)*(a + 2*m)), -(a + m)*(a + b + m)*x/((a + 2*m)*(a + 2*m + 1))):
            d = 1 + numerator*d
            d = 1/(d if abs(d) > tiny else tiny)
            c = 1 + numerator/c
            c = c if abs(c) > tiny else tiny
            h *= d*c
        if abs(d*c - 1) < 1e-15:
            break
    return h


def cll_incomplete_beta(a, b, x):
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a*math.log(x) + b*math.log1p(-x))
    if x < (a + 1)/(a + b + 2):
        return front*cll_beta_fraction(a, b, x)/a
    return 1 - front*cll_beta_fraction(b, a, 1 - x)/b


@functools.lru_cache(maxsize=None)
def cll_student_t(dof):
    """The 97.5 % quantile."""
    z = 1.959963984540054
    y = z*z
    if dof > 2000:
        return (z + z*(y + 1)/4/dof + z*((5*y + 16)*y + 3)/96/dof**2 + z*(((3*y + 19)*y + 17)*y - 15)/384/dof**3
                + z*((((79*y + 776)*y + 1482)*y - 1920)*y - 945)/92160/dof**4)
    low, high = 0.0, 1.0
    while cll_incomplete_beta(dof/2, 0.5, dof/(dof + high*high))/2 > 0.025 and high < 1e150:
        high *= 2
    while high - low > 1e-15*high:
        middle = (low + high)/2
        if middle in (low, high):
            break
        if cll_incomplete_beta(dof/2, 0.5, dof/(dof + middle*middle))/2 > 0.025:
            low = middle
        else:
            high = middle
    return (low + high)/2


class CllNormals:
    """Random numbers, the same as llac's: every prediction begins the sequence anew."""
    state, known = 1, []

    @classmethod
    def uniform(cls):
        mask = 0xffffffffffffffff
        cls.state = (cls.state + 0x9e3779b97f4a7c15) & mask
        z = cls.state
        z = ((z ^ (z >> 30))*0xbf58476d1ce4e5b9) & mask
        z = ((z ^ (z >> 27))*0x94d049bb133111eb) & mask
        z ^= z >> 31
        return ((z >> 11) + 0.5)/9007199254740992.0

    @classmethod
    def number(cls, k):
        while len(cls.known) <= k:
            radius = math.sqrt(-2*math.log(cls.uniform()))
            cls.known.append(radius*math.cos(2*math.pi*cls.uniform()))
        return cls.known[k]


def cll_quantile(values, q):
    at = q*(len(values) - 1)
    k = min(int(at), len(values) - 1)
    part = at - k
    return values[k] + part*(values[k + 1] - values[k]) if part > 0 and k + 1 < len(values) else values[k]


def cll_draws_near(logs, x):
    """How many draws are near x, and where they are on average."""
    near = [math.exp(-((v - x)/0.2)**2/2) for v in logs]
    weight = sum(near)
    return weight, sum(w*v for w, v in zip(near, logs))/weight if weight > 0 else x


def cll_most_drawn(values):
    """The value with most draws near it; the median if they are close to each other."""
    if not values[0] > 0 or math.log(cll_quantile(values, 0.9)/cll_quantile(values, 0.1)) < 0.1:
        return cll_quantile(values, 0.5)
    logs = [math.log(v) for v in values]
    starts = [cll_quantile(logs, (k + 0.5)/40) for k in range(40)]
    weights = [cll_draws_near(logs, x)[0] for x in starts]
    at, by = starts[weights.index(max(weights))], 1.0
    for _ in range(50):
        if by < 1e-4:
            break
        before, at = at, cll_draws_near(logs, at)[1]
        by = abs(at - before)
    return math.exp(at)


def cll_place_in(at, x):
    i = 0
    while i + 1 < len(at) and at[i + 1] <= x:
        i += 1
    return i, math.log(x/at[i])/math.log(at[i + 1]/at[i]) if x > at[i] and i + 1 < len(at) else 0.0


def cll_between(a, b, part):
    return a*(b/a)**part if a > 0 and b > 0 else a + part*(b - a)


def cll_table_value(table, x, y):
    if not x > 0 or not y > 0:
        return math.nan
    (i, p), (j, q), n = cll_place_in(table["x"], x), cll_place_in(table["y"], y), len(table["x"])
    row, k, value = j*n, i + (p > 0), table["value"]
    following = row + n if q > 0 else row
    return cll_between(cll_between(value[row + i], value[row + k], p), cll_between(value[following + i], value[following + k], p), q)


CLL_FUNCTIONS = {"log": math.log, "ln": math.log, "log2": math.log2, "log10": math.log10, "sqrt": math.sqrt,
                 "cbrt": cll_cbrt, "exp": math.exp, "pow": math.pow, "abs": abs, "floor": math.floor,
                 "ceil": math.ceil, "min": min, "max": max}
CLL_OPERATIONS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a*b, "/": lambda a, b: a/b,
                  "^": math.pow, "neg": lambda a: -a, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
                  ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
                  "and": lambda a, b: a != 0 and b != 0, "or": lambda a, b: a != 0 or b != 0, "not": lambda a: a == 0}


def cll_evaluate(tree, tables, place):
    """The value of an expression; nan where it has none."""
    if isinstance(tree, (int, float)):
        return float(tree)
    if isinstance(tree, dict):
        return place.get(tree["v"], math.nan)
    machine = tree[0] == "machine"
    operands = [cll_evaluate(t, tables, place) for t in tree[2 if machine else 1:]]
    if any(not math.isfinite(x) for x in operands):
        return math.nan
    if machine:
        return cll_table_value(tables[tree[1]], *(operands + [1.0, 1.0])[:2])
    try:
        return float((CLL_OPERATIONS.get(tree[0]) or CLL_FUNCTIONS[tree[0]])(*operands))
    except (ValueError, OverflowError, ZeroDivisionError):
        return math.nan


def cll_beyond(boundary, x):
    if boundary["form"] == "smooth":
        return 1/(1 + (boundary["at"]/x)**boundary["sharpness"]) if x > 0 else 0.0
    if not x > boundary["at"]:
        return 0.0
    return 1 - boundary["at"]/x if boundary["form"] == "bend" else 1.0


def cll_share(structure, column, x):
    part, boundaries = 1.0, structure["boundaries"]
    for v, low, high in column["bounds"]:
        part *= (1.0 if low < 0 else cll_beyond(boundaries[low], x[v])) - (0.0 if high < 0 else cll_beyond(boundaries[high], x[v]))
    return part


def cll_crossed(structure, column, x):
    boundaries = structure["boundaries"]
    return sum((low >= 0 and not x[v] > boundaries[low]["at"]) + (high >= 0 and x[v] > boundaries[high]["at"])
               for v, low, high in column["bounds"])


def cll_fill_row(structure, coefficients, x):
    """The coefficients of all columns; whether a combination of intervals was never measured."""
    columns, unmeasured = structure["columns"], False
    row = [coefficients[c["constant"]]*cll_share(structure, c, x) for c in columns]
    for k, coefficient in enumerate(coefficients):
        own = [j for j, c in enumerate(columns) if c["constant"] == k]
        if not own or abs(sum(cll_share(structure, columns[j], x) for j in own) - 1) < 1e-9:
            continue
        best = min(own, key=lambda j: cll_crossed(structure, columns[j], x))
        for j in own:
            row[j] = coefficient if j == best else 0.0
        unmeasured = True
    return row, unmeasured


def cll_value_of(structure, row, known):
    for column, x in zip(structure["columns"], row):
        known += column["value"]*x
    return known


def cll_quadratic(matrix, row):
    return sum(p*sum(m*q for m, q in zip(line, row)) for p, line in zip(row, matrix)) if matrix else 0.0


class CllModel:
    """A model as llac wrote it; predict({"N": 4096}) is a CllPrediction."""

    def __init__(self, data):
        self.data, self.noise = data, data["noise"]
        self.alternatives = [dict(a, model=CllModel(a["model"]) if "model" in a else None) for a in data["alternatives"]]

    def complete(self, given):
        place = dict(given)
        for v in self.data["variables"]:
            if v["name"] not in place and v["fixed"] is None and v["used"]:
                raise CllNoValue("the prediction needs a value of " + v["name"])
            if v["name"] not in place and v["fixed"] is not None:
                place[v["name"]] = v["fixed"]
        return place

    def coefficients(self, form, place):
        tables = self.data["tables"]
        values = [cll_evaluate(t, tables, place) for t in form["coefficients"]]
        known = 0.0 if form["offset"] is None else cll_evaluate(form["offset"], tables, place)
        if not all(map(math.isfinite, values + [known])):
            raise CllNoValue("the formula of " + self.data["experiment"] + " has no value there")
        return values, known

    def coordinates(self, place):
        used = {v["name"] for v in self.data["variables"] if v["used"]}
        return [place[name] if name in used and name in place else value for name, value in self.data["coordinates"]]

    def check_determined(self, row):
        for relation in self.data["relations"] or []:
            parts = [r*x for r, x in zip(relation, row)]
            if abs(sum(parts)) > 1e-9*math.sqrt(sum(x*x for x in parts)):
                raise CllNoValue("the data do not determine all constants that this prediction depends on")

    def grown(self, time):
        n = self.noise
        return (time/n["typical"])**n["growth"] if n["growth"] != 0 and time > 0 else 1.0

    def grown_beyond(self, value):
        least = self.noise["least_grown"]
        return max(self.grown(value), least) if self.noise["growth"] != 0 and least is not None else self.grown(value)

    def quantile(self, total, of_runs):
        n, rest = self.noise, max(total - of_runs, 0.0)
        if not of_runs > 0 or not n["runs_dof"] > 0:
            return cll_student_t(float(n["dof"]))
        return cll_student_t(total*total/(rest*rest/n["dof"] + of_runs*of_runs/n["runs_dof"]))

    def intervals(self, v, row, selection, machine):
        """low, high, single_low, single_high"""
        n = self.noise
        if not n["dof"] > 0:
            return [math.nan]*4
        of_runs = cll_quadratic(self.data["of_runs"], row)
        model = max(max(cll_quadratic(self.data["covariance"], row), selection) + machine, 0.0)
        grown, fresh = self.grown_beyond(v), n["runs_of_point"]*v*v
        total = model + (n["relative"]*grown*v)**2 + n["floor"]**2 + fresh
        of_model = self.quantile(model, of_runs)*math.sqrt(model)
        reach = of_model if n["none"] else self.quantile(total, of_runs + fresh)*math.sqrt(total)
        drift = abs(v)*n["drift"]*max(self.grown(v) - n["most_grown"], 0.0) if n["drift"] > 0 else 0.0
        low, high, single_low, single_high = v - reach - drift, v + reach + drift, math.nan, math.nan
        if n["single_low"] is not None:
            down, up = (max(abs(v)*grown*x, 0.0) for x in (1 - n["single_low"], n["single_high"] - 1))
            single_low = min(v - math.hypot(down, of_model) - drift, low)
            single_high = max(v + math.hypot(up, of_model) + drift, high)
        if v > 0:
            low, single_low = max(low, 0.0), max(single_low, 0.0) if single_low == single_low else single_low
        return [low, high, single_low, single_high]

    def selection_variance(self, coefficients, x, known):
        s = self.data["selection"]
        if not s:
            return 0.0
        if "models" not in s:
            return max(cll_quadratic(s["covariance"], coefficients), 0.0)
        values = [cll_value_of(r, cll_fill_row(r, coefficients, x)[0], known) for r in s["models"]]
        mean = sum(values)/len(values)
        return s["part"]*sum((v - mean)**2 for v in values)/(len(values) - 1)

    def machine_variance(self, place, x, value):
        squares = []
        for d in self.data["draws"]:
            try:
                coefficients, known = self.coefficients(d, place)
            except CllNoValue:
                continue
            squares.append((cll_value_of(d, cll_fill_row(d, coefficients, x)[0], known) - value)**2)
        return sum(squares)/len(squares) if squares else 0.0

    def outside(self, place):
        """Variables that are outside of the data, remarks about them, and how far they are outside: against the width of the data."""
        names, remarks, away = [], [], 0.0
        for v in self.data["variables"]:
            at, slack = place.get(v["name"], math.nan), 1e-9*max(abs(v["low"]), abs(v["high"]))
            if not v["used"] or v["low"] - slack <= at <= v["high"] + slack:
                continue
            names.append(v["name"])
            wide = max(math.log2(v["high"]/v["low"]) if v["low"] > 0 else 0, 1)
            if at > v["high"] > 0:
                remarks.append("%s is %.3g times beyond the data" % (v["name"], at/v["high"]))
                away += math.log2(at/v["high"])/wide
            elif 0 < at < v["low"]:
                remarks.append("%s is %.3g times below the data" % (v["name"], v["low"]/at))
                away += math.log2(v["low"]/at)/wide
            else:
                remarks.append("%s is outside the data" % v["name"])
                away += 1/wide
        return names, remarks, away

    def is_far(self, value, row, names):
        n = self.noise
        own = (n["relative"]*self.grown_beyond(value)*value)**2 + n["floor"]**2
        if not n["dof"] > 0 or n["none"] or names or not own > 0:
            return False
        return (cll_quadratic(self.data["covariance"], row) - cll_quadratic(self.data["of_runs"], row))/own > 4*self.data["leverage"]

    def consider_gaps(self, here, ends, coefficients, x, known, remarks):
        """Between the two measured values next to a boundary both sides are mixed."""
        mixed = here
        for b in self.data["boundaries"]:
            at = x[b["variable"]]
            if b["form"] != "step" or not b["below"] < at < b["above"]:
                continue
            y = list(x)
            y[b["variable"]] = b["below"] if at > b["at"] else b["above"]
            row = cll_fill_row(self.data, coefficients, y)[0]
            other = cll_value_of(self.data, row, known)
            for k, end in enumerate(self.intervals(other, row, 0.0, 0.0)):
                ends[k] = end if ends[k] != ends[k] else ends[k] if end != end else (max if k % 2 else min)(ends[k], end)
            chance = math.log(at/b["below"])/math.log(b["above"]/b["below"]) if b["below"] > 0 else (at - b["below"])/(b["above"] - b["below"])
            weight = 1 - chance if at > b["at"] else chance
            mixed = mixed*(other/here)**weight if here > 0 and other > 0 else mixed + weight*(other - here)
            remarks.append("in the gap of a boundary, between %s=%.6g and %.6g" % (self.data["coordinates"][b["variable"]][0], b["below"], b["above"]))
        return mixed

    def by_formula(self, given):
        place = self.complete(given)
        (coefficients, known), x = self.coefficients(self.data, place), self.coordinates(place)
        row, unmeasured = cll_fill_row(self.data, coefficients, x)
        self.check_determined(row)
        value = cll_value_of(self.data, row, known)
        names, remarks, _ = self.outside(place)
        ends = self.intervals(value, row, self.selection_variance(coefficients, x, known), self.machine_variance(place, x, value))
        far = self.is_far(value, row, names)
        value = self.consider_gaps(value, ends, coefficients, x, known, remarks)
        if far:
            remarks.append("this combination of values is far from all measured ones")
        if unmeasured:
            remarks.append("this combination of intervals was never measured")
        if any(e != e for e in ends[:2]):
            ends = [math.nan]*4
        if not math.isfinite(value):
            raise CllNoValue("the model of " + self.data["experiment"] + " has no value there: it is beyond the range of numbers")
        return CllPrediction(value, *ends, names, remarks)

    def draws_of(self, alternative, place, terms, used):
        """Draws, each with the noise of a measurement and without it."""
        if alternative["model"]:
            try:
                one = alternative["model"].by_formula(place)
            except CllNoValue:
                return []
            reach = (one.high - one.low)/2/cll_student_t(1e6) if math.isfinite(one.low) else 0.0
            return [(one.value + reach*CllNormals.number(used + i), one.value) for i in range(alternative["ndraws"])]
        row = [terms[t] for t in alternative["terms"]]
        if not all(map(math.isfinite, row)):
            return []
        k, draws = len(row), alternative["draws"]
        values = [sum(draws[i*k + j]*row[j] for j in range(k)) for i in range(len(alternative["noise"]))]
        return [(v*(1 + noise*CllNormals.number(used + i)), v) for i, (v, noise) in enumerate(zip(values, alternative["noise"]))]

    def average(self, p, given):
        """After a search: all formulas that the data leave possible."""
        place, drawn = dict(given), []
        for v in self.data["variables"]:
            if v["fixed"] is not None:
                place.setdefault(v["name"], v["fixed"])
        terms = [cll_evaluate(t, self.data["tables"], place) for t in self.data["alternative_terms"]]
        for alternative in self.alternatives:
            drawn += self.draws_of(alternative, place, terms, len(drawn))
        if len(drawn) < 100:
            return p
        value = cll_most_drawn(sorted(expected for _, expected in drawn))
        measured = sorted(measured for measured, _ in drawn)
        low, high = (cll_quantile(measured, q) for q in (0.025, 0.975))
        single_low, single_high = p.single_low, p.single_high
        if math.isfinite(single_low) and p.value > 0:
            down, up = max(value*(1 - single_low/p.value), 0.0), max(value*(single_high/p.value - 1), 0.0)
            single_low = max(min(value - math.hypot(down, value - low), low), 0.0)
            single_high = max(value + math.hypot(up, high - value), high)
        return p._replace(value=value, low=low, high=high, single_low=single_low, single_high=single_high)

    def average_terms(self, p, given):
        """The mean of the formula with and without the terms that the data do not determine."""
        found = []
        for alternative in self.alternatives:
            try:
                found.append((alternative["ndraws"], alternative["model"].by_formula(given)))
            except CllNoValue:
                continue
        if not found:
            return p
        value = sum(weight*one.value for weight, one in found)/sum(weight for weight, _ in found)
        low, high = min(one.low for _, one in found), max(one.high for _, one in found)
        single_low, single_high = min(one.single_low for _, one in found), max(one.single_high for _, one in found)
        return p._replace(value=value, low=low, high=high, single_low=single_low, single_high=single_high)

    def slowest(self, p, given):
        """From the value that means the same for every P to what an execution on P ranks takes."""
        s, used = self.data["slowest"], any(v["used"] and v["name"] == "P" for v in self.data["variables"])
        processors = self.complete(given).get("P", math.nan) if used else math.nan
        if not s or not processors >= 1:
            return p
        times = [cll_quantile(s["relative"], s["level"]**((s["least"]/max(x, s["least"]))**s["independence"])) for x in (processors, s["reach"])]
        return CllPrediction(*(x*times[0]/times[1] for x in p[:5]), p.extrapolates, p.remarks)

    def allow_for_formula(self, p, given):
        """The typical interval is at least as wide as formulas are usually off so far beyond the data."""
        reach = abs(p.value)*self.noise["formula_error"]*self.outside(self.complete(given))[2]
        if math.isnan(p.low):
            return p
        low, high = min(p.low, p.value - reach), max(p.high, p.value + reach)
        if math.isnan(p.single_low):
            return p._replace(low=low, high=high)
        return p._replace(low=low, high=high, single_low=min(p.single_low, low), single_high=max(p.single_high, high))

    def predict(self, given):
        p = self.by_formula(given)
        if self.data["only_beyond"]:
            p = self.average_terms(p, given) if p.extrapolates else p
        elif self.alternatives:
            p = self.average(p, given)
        return self.slowest(self.allow_for_formula(p, given), given)

    def at(self, *values):
        """The same for the variables in their order."""
        return self.predict(dict(zip((v["name"] for v in self.data["variables"] if v["used"]), map(float, values))))
