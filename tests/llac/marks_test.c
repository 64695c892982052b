/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks of axes of characters: their labels do not touch, and there are as many as fit. */
#include "harness/unit.h"
#include "llac/plot/marks.h"

#include <math.h>

/* Writes the labels where a plot of characters has them; whether one touches another. */
static bool touches(const struct plot_axis *axis, const struct marks *m, int room)
{
    char line[512];
    memset(line, ' ', sizeof line);
    for (size_t i = 0; i < m->n; i++) {
        char label[NUMBER_SIZE];
        int n = (int)strlen(marks_label(axis, m->at[i], label));
        double part = axis->log ? log(m->at[i] / axis->low) / log(axis->high / axis->low)
                                : (m->at[i] - axis->low) / (axis->high - axis->low);
        int begin = 100 + (int)lround(part * room - n / 2.0);
        for (int k = begin - 1; k <= begin + n; k++)
            if (line[k] != ' ')
                return true;
        memcpy(line + begin, label, (size_t)n);
    }
    return false;
}

static void labels_do_not_touch(void **state)
{
    (void)state;
    static const struct plot_axis axes[] = {
        {.log = true, .powers_of_two = true, .low = 1, .high = 1 << 24},
        {.log = true, .powers_of_two = true, .low = 4096, .high = 1048576},
        {.log = true, .powers_of_two = true, .low = 1, .high = 8},
        {.log = true, .low = 1000, .high = 1e9},
        {.log = true, .low = 100, .high = 9000},
        {.log = true, .low = 1e-30, .high = 1e30},
        {.log = true, .low = 0.013, .high = 0.014},
        {.low = 0, .high = 2097152},
        {.low = 0, .high = 123456789012.0},
        {.low = -5, .high = 5},
        {.low = 0.1, .high = 0.8},
        {.low = 1e6, .high = 1e6 + 10},
    };
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        for (int room = 8; room <= 140; room++) {
            struct marks m = marks_choose(&axes[i], axes[i].low, axes[i].high, room);
            if (touches(&axes[i], &m, room))
                fail_msg("axis %zu, %d characters: labels touch", i, room);
        }
}

static void wide_axes_have_many_marks(void **state)
{
    (void)state;
    const struct plot_axis two = {.log = true, .powers_of_two = true, .low = 4096, .high = 1048576},
                           line = {.low = 0, .high = 2097152};
    assert_int_equal(marks_choose(&two, two.low, two.high, 120).n, 9);
    assert_int_equal(marks_choose(&two, two.low, two.high, 60).n, 5);
    assert_int_equal(marks_choose(&line, 0, line.high, 60).n, 5); /* 0, 500000, ... */
    assert_int_equal(marks_choose(&line, 0, line.high, 120).n, 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_do_not_touch),
        cmocka_unit_test(wide_axes_have_many_marks),
    };
    return RUN(tests);
}
