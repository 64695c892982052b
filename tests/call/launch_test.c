/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How programs are started: the order of a sweep, the launchers' words, the hosts of a platform. */
#include "harness/unit.h"

#include "base/text.h"
#include "call/batch/batch.h"
#include "call/run/launch.h"
#include "call/run/simulate.h"
#include "translate/procs.h"

static void every_round_visits_all_in_another_order(void **state)
{
    (void)state;
    size_t order[4][16];
    for (unsigned long round = 1; round <= 4; round++) {
        bool seen[16] = {false};
        sweep_order(16, round, order[round - 1]);
        for (size_t i = 0; i < 16; i++) {
            assert_true(order[round - 1][i] < 16);
            seen[order[round - 1][i]] = true;
        }
        for (size_t i = 0; i < 16; i++)
            assert_true(seen[i]);
        for (unsigned long before = 0; before + 1 < round; before++)
            assert_memory_not_equal(order[before], order[round - 1], sizeof order[0]);
    }
    size_t one = 7;
    sweep_order(0, 1, &one);
    assert_int_equal(one, 7);
    sweep_order(1, 1, &one);
    assert_int_equal(one, 0);
}

static void data_files_are_named_by_processors_and_round(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    assert_string_equal(sweep_stem(a, ".", "x", 4, 1), "x.cll.p4.r1");
    assert_string_equal(sweep_stem(a, ".", "-e", 4, 1), "./-e.cll.p4.r1");
    assert_string_equal(sweep_stem(a, "a b", "x", 1024, 12), "a b/x.cll.p1024.r12");
    arena_destroy(a);
}

static void every_driver_of_processes_is_started_by_its_mpi_library(void **state)
{
    (void)state;
    assert_string_equal(launch_for(driver_find("MPI"), false, "openmpi")->name, "openmpi");
    assert_string_equal(launch_for(driver_find("PUB"), false, "mpich")->name, "mpich");
    assert_string_equal(launch_for(driver_find("MPI"), true, "mpich")->name, "mpich");
    assert_null(launch_for(driver_find("MPI"), false, NULL));
    assert_string_equal(launch_for(NULL, true, NULL)->name, "openmp");
    assert_string_equal(launch_for(NULL, false, NULL)->name, "plain");
    assert_null(launch_named("nothing"));
}

/* The words of a command, joined by '|'. */
static const char *joined(struct arena *a, const struct words *w)
{
    const char *s = "";
    for (size_t i = 0; i < w->n; i++)
        s = arena_printf(a, "%s%s%s", s, i ? "|" : "", w->list[i]);
    return s;
}

static void open_mpi_gets_options_for_crowds_and_variables(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct launch l = {.launcher = launch_named("openmpi"), .processes = true};
    struct words variables = {0}, words = {0}, environment = {0};
    words_add(a, &l.command, "mpirun");
    words_add(a, &l.command, "-n");
    words_add(a, &l.command, "{P}");
    words_add(a, &variables, "CLL_OUT=x");
    setenv("CLL_OUT", "elsewhere", 1);
    setenv("CLL_MEMORY", "8M", 1);
    setenv("SLURM_NTASKS", "2", 1);
    launch_words(a, &l, 2, &variables, &words, &environment);
    assert_string_equal(joined(a, &words), "mpirun|-n|2|-x|CLL_OUT|-x|CLL_MEMORY");
    words = (struct words){0};
    launch_words(a, &l, 3, &variables, &words, &environment);
    assert_string_equal(joined(a, &words), "mpirun|-n|3|--oversubscribe|-x|CLL_OUT|-x|CLL_MEMORY");
    l.threaded = true;
    words = (struct words){0};
    launch_words(a, &l, 2, &variables, &words, &environment);
    assert_string_equal(joined(a, &words), "mpirun|-n|2|--bind-to|none|-x|CLL_OUT|-x|CLL_MEMORY");
    assert_int_equal(environment.n, 0);
    unsetenv("CLL_OUT");
    unsetenv("CLL_MEMORY");
    unsetenv("SLURM_NTASKS");
    arena_destroy(a);
}

static void own_launchers_are_words_with_a_place_for_P(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct launch l;
    struct words variables = {0}, words = {0}, environment = {0};
    assert_int_equal(launch_own(a, "srun 'a b' -n{P}:{P}", true, &l), 0);
    launch_words(a, &l, 12, &variables, &words, &environment);
    assert_string_equal(joined(a, &words), "srun|a b|-n12:12");
    assert_int_equal(environment.n, 0);
    assert_int_equal(launch_own(a, "mpirun -n 4", true, &l), -1);
    words = (struct words){0};
    assert_int_equal(launch_own(a, "taskset 1", false, &l), 0);
    launch_words(a, &l, 3, &variables, &words, &environment);
    assert_string_equal(joined(a, &words), "taskset|1");
    assert_string_equal(joined(a, &environment), "OMP_NUM_THREADS=3");
    arena_destroy(a);
}

static void hosts_of(const char *xml, unsigned long most, long want, const char *list)
{
    struct arena *a = arena_create();
    struct text out;
    const char *why = NULL, *speed;
    text_init(&out);
    assert_int_equal(simulate_hosts(a, xml, most, &out, &speed, &why), want);
    if (want >= 0)
        assert_string_equal(out.s, list);
    else
        assert_non_null(strstr(why, list));
    text_free(&out);
    arena_destroy(a);
}

static void hosts_are_listed_in_the_order_of_the_platform(void **state)
{
    (void)state;
    hosts_of("<platform><host id=\"b\" speed='1Gf'/><host speed=\"1\" id = 'a' core=\"2\"></host>"
             "<cluster id=\"c\" prefix=\"n\" radical=\"8-10, 3\" suffix=\".x\"/></platform>",
             100, 7, "b\na\na\nn8.x\nn9.x\nn10.x\nn3.x\n");
    hosts_of("<!-- <host id=\"x\"/> --><hosts id=\"y\"/><?host id=\"z\"?><peer id=\"p\"/>", 9, 1,
             "p\n");
    hosts_of("<cluster prefix=\"n\" radical=\"0-999999999\"/>", 3, 3, "n0\nn1\nn2\n");
    hosts_of("", 3, 0, "");
    hosts_of("<host", 3, 0, "");
    hosts_of("<!-- <host id=\"x\"/>", 3, 0, "");
}

static void speed_of(const char *xml, const char *want)
{
    struct arena *a = arena_create();
    struct text out;
    const char *why, *speed = NULL;
    text_init(&out);
    simulate_hosts(a, xml, 9, &out, &speed, &why);
    if (want)
        assert_string_equal(speed, want);
    else
        assert_null(speed);
    text_free(&out);
    arena_destroy(a);
}

static void speed_is_that_of_the_first_host(void **state)
{
    (void)state;
    speed_of("<host id=\"b\" speed='1.5Gf'/><host id=\"a\" speed=\"2Gf\"/>", "1.5Gf");
    speed_of("<cluster prefix=\"n\" radical=\"0-3\" speed=\"1Gf,500Mf\"/>", "1Gf");
    speed_of("<host id=\"b\"/><host id=\"a\" speed=\"2Gf\"/>", NULL);
    speed_of("", NULL);
}

static void hosts_that_cannot_be_are_errors(void **state)
{
    (void)state;
    hosts_of("<host speed=\"1\"/>", 3, -1, "''");
    hosts_of("<host id=\"a b\"/>", 3, -1, "'a b'");
    hosts_of("<host id=\"a:2\"/>", 3, -1, "'a:2'");
    hosts_of("<host id=\"a\" core=\"0\"/>", 3, -1, "core=\"0\"");
    hosts_of("<cluster prefix=\"n\"/>", 3, -1, "radical=\"\"");
    hosts_of("<cluster radical=\"3-1\"/>", 3, -1, "radical=\"3-1\"");
    hosts_of("<cluster radical=\"1-\"/>", 3, -1, "radical=\"1-\"");
    hosts_of("<cluster radical=\"x\"/>", 3, -1, "radical=\"x\"");
    hosts_of("<cluster radical=\"0;1\"/>", 3, -1, "radical=\"0;1\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_round_visits_all_in_another_order),
        cmocka_unit_test(data_files_are_named_by_processors_and_round),
        cmocka_unit_test(every_driver_of_processes_is_started_by_its_mpi_library),
        cmocka_unit_test(open_mpi_gets_options_for_crowds_and_variables),
        cmocka_unit_test(own_launchers_are_words_with_a_place_for_P),
        cmocka_unit_test(hosts_are_listed_in_the_order_of_the_platform),
        cmocka_unit_test(speed_is_that_of_the_first_host),
        cmocka_unit_test(hosts_that_cannot_be_are_errors),
    };
    return RUN(tests);
}
