/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How programs are started: the choice of the launcher, the hosts of a platform. */
#include "harness/unit.h"

#include "base/text.h"
#include "call/sweep/launch.h"
#include "call/run/simulate.h"

static void every_driver_of_processes_is_started_by_its_mpi_library(void **state)
{
    (void)state;
    assert_string_equal(launch_for(driver_find("MPI"), false, "openmpi"), "openmpi");
    assert_string_equal(launch_for(driver_find("PUB"), false, "mpich"), "mpich");
    assert_string_equal(launch_for(driver_find("MPI"), true, "mpich"), "mpich");
    assert_null(launch_for(driver_find("MPI"), false, NULL));
    assert_string_equal(launch_for(NULL, true, NULL), "openmp");
    assert_string_equal(launch_for(NULL, false, NULL), "plain");
    assert_null(launch_for(driver_find("MPI"), false, "nothing"));
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
        cmocka_unit_test(every_driver_of_processes_is_started_by_its_mpi_library),
        cmocka_unit_test(hosts_are_listed_in_the_order_of_the_platform),
        cmocka_unit_test(speed_is_that_of_the_first_host),
        cmocka_unit_test(hosts_that_cannot_be_are_errors),
    };
    return RUN(tests);
}
