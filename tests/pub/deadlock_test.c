/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a deadlock is reported, by whom, and in which words (src/pub/deadlock.c). All processors are this process, and the
   clock is a variable. */
#include <stdarg.h>

#include "pub/internal.h"
#include "harness/unit.h"

enum { MOST = 8 };
static const uint64_t second = 1000000000;

struct pub_state pub;
static struct pub_object object = {.size = 3, .step = 5};
static const struct pub_wait barrier = {&object, "the other processors", 0, 0, -1};

static uint64_t now, sent, received;
static uint64_t asked[MOST]; /* questions that processors have not answered */
static struct pub_packet *answers[MOST];
static char said[4096];
static jmp_buf failed;

/* ---- in place of the other files */

uint64_t pub_clock(void)
{
    return now;
}
bool pub_simulated(void)
{
    return false;
}
uint64_t pub_packets_sent(void)
{
    return sent;
}
uint64_t pub_packets_received(void)
{
    return received;
}
uint64_t pub_transfers_ended(void)
{
    return 0;
}
char (*pub_host_names(void))[PUB_HOST]
{
    return NULL;
}
const char *pub_object_name(const struct pub_object *of)
{
    return of->family.depth ? " of a group" : "";
}
void *pub_take(size_t bytes)
{
    return malloc(bytes);
}
void pub_packet_free(struct pub_packet *packet)
{
    free(packet->storage);
    free(packet);
}

static void add(const char *format, va_list list)
{
    size_t n = strlen(said);
    vsnprintf(said + n, sizeof said - n - 1, format, list);
    strcat(said, "\n");
}
void pub_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add(format, list);
    va_end(list);
}
void pub_fail(const struct pub_object *of, const char *format, ...)
{
    va_list list;
    (void)of;
    va_start(list, format);
    add(format, list);
    va_end(list);
    longjmp(failed, 1);
}

static struct pub_packet *packet_of(const struct pub_header *header, uint8_t *block)
{
    struct pub_packet *packet = calloc(1, sizeof *packet);
    assert_non_null(packet);
    packet->header = *header;
    packet->storage = block;
    packet->data = block + sizeof *header;
    return packet;
}

/* A question waits for the answer of its receiver. An answer goes to the one that it pretends to be. */
void pub_send_block(int process, struct pub_header *header, uint8_t *block)
{
    sent++;
    if (header->kind == PUB_QUESTION) {
        memcpy(&asked[process], block + sizeof *header, sizeof *asked);
        free(block);
        return;
    }
    assert_int_equal(header->kind, PUB_ANSWER);
    header->src = (uint32_t)process;
    answers[process] = packet_of(header, block);
}

/* ---- the processors */

/* This processor waits until then; false: it ended the program. */
static bool waits_until(uint64_t time)
{
    now = time;
    if (setjmp(failed))
        return false;
    pub_watch(&barrier);
    return true;
}

static void question_comes(int from)
{
    struct pub_header header = {.kind = PUB_QUESTION, .src = (uint32_t)from};
    uint8_t *block = malloc(sizeof header + sizeof *asked);
    assert_non_null(block);
    memcpy(block + sizeof header, &asked[from], sizeof *asked);
    asked[from] = 0;
    received++;
    pub_question_came(packet_of(&header, block));
}

/* All that have been asked answer what this one would: that they wait as it does. */
static int others_answer(void)
{
    int n = 0;
    for (int i = 0; i < pub.size; i++)
        if (asked[i])
            question_comes(i);
    assert_true(waits_until(now));
    for (int i = 0; i < pub.size; i++)
        if (answers[i]) {
            received++;
            pub_answer_came(answers[i]);
            answers[i] = NULL;
            n++;
        }
    return n;
}

static void begin(int rank, int size)
{
    pub = (struct pub_state){.rank = rank, .size = size, .call = "bsp_sync", .patience = second};
    object.size = size;
    object.pid = rank;
    now = 1;
    sent = received = 7;
    said[0] = '\0';
    pub_deadlock_begin();
    assert_true(waits_until(now));
}

static int end(void **state)
{
    (void)state;
    pub_deadlock_end();
    return 0;
}

/* ---- tests */

static void second_round_is_judged_at_once(void **state)
{
    (void)state;
    begin(0, 3);
    assert_true(waits_until(1 + second - 1));
    assert_int_equal(others_answer(), 0);
    assert_true(waits_until(1 + second));
    assert_int_equal(others_answer(), 2);
    assert_true(waits_until(2 * second)); /* the pause */
    assert_int_equal(others_answer(), 0);
    assert_true(waits_until(1 + 2 * second));
    assert_string_equal(said, "");
    assert_int_equal(others_answer(), 2);
    assert_false(waits_until(2 + 2 * second));
    assert_string_equal(
        said, "all processors wait, and no message is on its way:\n"
              "  bsp_sync: processor 0 of 3, superstep 5: waits for the other processors\n"
              "  bsp_sync: processor 0 of 3, superstep 5: waits for the other processors\n"
              "  bsp_sync: processor 0 of 3, superstep 5: waits for the other processors\n"
              "no processor can go on\n");
}

static void packet_between_the_rounds_is_no_deadlock(void **state)
{
    (void)state;
    begin(0, 3);
    assert_true(waits_until(1 + second));
    assert_int_equal(others_answer(), 2);
    assert_true(waits_until(2 + second)); /* judged */
    sent++, received++;
    assert_true(waits_until(1 + 2 * second)); /* since now */
    assert_int_equal(others_answer(), 0);
    assert_true(waits_until(1 + 3 * second));
    assert_int_equal(others_answer(), 2);
    assert_true(waits_until(2 + 3 * second)); /* what they counted is not as before */
    assert_true(waits_until(1 + 4 * second));
    assert_int_equal(others_answer(), 2);
    assert_false(waits_until(2 + 4 * second));
}

static void packet_on_its_way_is_no_deadlock(void **state)
{
    (void)state;
    begin(0, 2);
    sent++;
    for (uint64_t i = 1; i < 6; i++) {
        assert_true(waits_until(1 + i * second));
        assert_int_equal(others_answer(), 1);
    }
    assert_string_equal(said, "");
}

static void processor_0_alone_reports(void **state)
{
    (void)state;
    begin(1, 3);
    pub.checking = true;
    for (uint64_t i = 1; i < 6; i++) {
        assert_true(waits_until(1 + i * second));
        assert_int_equal(others_answer(), 2);
    }
    assert_string_equal(said, "");
}

static void processes_without_an_answer_are_named_once(void **state)
{
    (void)state;
    begin(0, 3);
    pub.checking = true;
    assert_true(waits_until(1 + second));
    assert_true(waits_until(1 + 60 * second));
    assert_string_equal(said, "");
    assert_true(waits_until(1 + 61 * second));
    assert_true(waits_until(1 + 70 * second));
    assert_string_equal(
        said, "bsp_sync: processor 0 of 3, superstep 5: has waited 61 s for the other processors; "
              "processes that have not answered: 1, 2\n");
}

static void many_alike_are_few_lines(void **state)
{
    (void)state;
    for (int size = 4; size <= 6; size++) {
        begin(0, size);
        for (uint64_t i = 1; i < 3; i++) {
            assert_true(waits_until(1 + i * second));
            assert_int_equal(others_answer(), size - 1);
        }
        assert_false(waits_until(2 + 2 * second));
        assert_int_equal(!strstr(said, "more"), size == 4);
        assert_int_equal(!!strstr(said, "\n  and 1 more processor in the same way\n"), size == 5);
        assert_int_equal(!!strstr(said, "\n  and 2 more processors in the same way\n"), size == 6);
        pub_deadlock_end();
    }
}

static void numbers_of_messages_are_sentences(void **state)
{
    char text[64];
    (void)state;
    pub_arrivals(text, sizeof text, 1, 0);
    assert_string_equal(text, "1 message, none has arrived");
    pub_arrivals(text, sizeof text, 2, 1);
    assert_string_equal(text, "2 messages, 1 has arrived");
    pub_arrivals(text, sizeof text, 1000, 999);
    assert_string_equal(text, "1000 messages, 999 have arrived");
}

#define TEST(name) cmocka_unit_test_teardown(name, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(second_round_is_judged_at_once),
        TEST(packet_between_the_rounds_is_no_deadlock),
        TEST(packet_on_its_way_is_no_deadlock),
        TEST(processor_0_alone_reports),
        TEST(processes_without_an_answer_are_named_once),
        TEST(many_alike_are_few_lines),
        TEST(numbers_of_messages_are_sentences),
    };
    return RUN(tests);
}
