# SPDX-License-Identifier: GPL-3.0-or-later
# Mistakes in PUB programs. A test is a function with a table (tests/harness/mistakes.sh).
. "$CLL_SOURCE/tests/pub/setup.sh"
. "$CLL_SOURCE/tests/harness/mistakes.sh"
library=pub

mistakes_at_start_and_end() {
    table <<END
2 call_before_init bsp_send: bsplib_init has not been called
2 done_before_init bsplib_done: bsplib_init has not been called
2 init_after_finalize bsplib_init: MPI_Finalize has been called
2 init_twice bsplib_init: @: it has been called before
2 init_after_done bsplib_init: bsplib_done has been called
2 done_twice bsplib_done: bsplib_done has been called
2 call_after_done bsp_nprocs: bsplib_done has been called
2 done_with_group bsplib_done: @, superstep 1: a group or copy has not been given back
2 done_with_copy bsplib_done: @, superstep 1: a group or copy has not been given back
3 done_with_sent bsplib_done: processor 2 of 3, superstep 2: .*sent in this superstep, the first to processor 0, and the superstep was not ended
2 done_with_put bsplib_done: @, superstep 2: .*sent in this superstep, the first to processor 0, and the superstep was not ended
2 done_with_unread bsplib_done: processor 1 of 2, superstep 1: a message of superstep 2 from processor 0 has arrived
9 done_with_unread bsplib_done: processor 1 of 9, superstep 1: a message of superstep 2 from processor 0 has arrived
2 done_with_unread_large bsplib_done: processor 1 of 2, superstep 1: a message of superstep 1 from processor 0 has arrived
2 done_with_unread_of_group bsplib_done: processor 1 of 2, .* a message for a group, from its processor 0 in its superstep 2
2 done_with_open_collective bsplib_done: @, superstep 1: a collective operation has not been waited for
2 done_with_unclaimed_collective bsplib_done: processor 1 of 2, .* processor 0 of the object called a collective operation
END
}

mistakes_with_objects() {
    table <<END
2 partition_falls bsp_partition: @, superstep 1: group 1 ends before processor 1
2 partition_negative bsp_partition: @, superstep 1: group 0 ends before processor -1
2 partition_short bsp_partition: @, superstep 1: the last group ends before processor 1
2 partition_long bsp_partition: @, superstep 1: group 0 ends before processor 3
2 partition_into_none bsp_partition: @, superstep 1: 0 groups
2 partition_without_ends bsp_partition: @, superstep 1: .*a list of their ends
2 partition_twice bsp_partition: @, superstep 1: the groups of the last partition have not been given back
2 done_of_machine bsp_done: @, superstep 1: the object of all processors is ended by bsplib_done
2 done_of_group_twice bsp_done: @: this object has been given back by bsp_done
2 use_of_group_after_done bsp_sync: @: this object has been given back by bsp_done
2 use_of_nothing bsp_sync: @: this object has been given back by bsp_done, or was never made
3 done_with_child bsp_done: processor [01] of [12] of group [01] at depth 1, superstep 1: a group or copy made from this
2 done_out_of_order bsp_done: @ of a copy at depth 1, superstep 1: groups and copies that were made from the same object later
2 done_of_group_with_sent bsp_done: @ of group 0 at depth 1, superstep 1: .*the superstep was not ended
2 done_of_group_with_unread bsp_done: processor 1 of 2 of group 0 .*from processor 0 has arrived and cannot be read
2 abort_with_text processor 1 of 2, superstep 2: value 3 of 'x' is 2.50
2 abort_with_lines processor 1 of 2, superstep 1: two$
3 abort_on_group processor 1 of 2 of group 1 at depth 1, superstep 2: enough
END
    has abort_with_lines.2/err $'^\tlines\\\\x07$'
}

mistakes_at_ends_of_supersteps() {
    table <<END
2 sync_with_group bsp_sync: @, superstep 1: a group of this object is in use
2 oblsync_with_group bsp_oblsync: @, superstep 1: a group of this object is in use
2 mixed_kinds bsp_sync: processor 1 of 2, superstep 2: processor 0 ends superstep 1 with bsp_sync
9 mixed_kinds bsp_sync: @, superstep [12]: processor .* superstep .* with bsp_sync
2 mixed_kinds_waiting bsp_oblsync: processor 1 of 2, superstep 1: processor 0 ends this superstep with bsp_sync
9 mixed_kinds_waiting bsp_oblsync: @, superstep 1: processor 0 ends this superstep with bsp_sync
2 mixed_kinds_then_done \(bsplib_done: processor 0 of 2, superstep 2: processor 1 ends superstep 1 with bsp_sync\|bsp_sync: processor 1 of 2, superstep 1: processor 0 has called bsplib_done\)
9 mixed_kinds_then_done bsp.*: @, superstep [12]: processor .* superstep
2 fewer_supersteps bsp_sync: processor 0 of 2, superstep 2: processor 1 has called bsplib_done
9 fewer_supersteps bsp_sync: processor 0 of 9, superstep 2: processor [0-9] has called bsplib_done
2 fewer_oblivious_supersteps bsp_oblsync: processor 0 of 2, superstep 1: waits for 1 message, none has arrived, and all other
9 fewer_oblivious_supersteps bsp_oblsync: processor 0 of 9, superstep 1: waits for 1 message, none has arrived, and all other
2 oblsync_negative bsp_oblsync: @, superstep 1: -1 messages
1 oblsync_alone bsp_oblsync: @, superstep 1: waits for 2 messages, 1 has arrived, and there is no other processor
2 too_many_messages_now bsp_oblsync: @, superstep 1: expects 1 message, and 2 have arrived
2 too_many_messages_later bsplib_done: processor 0 of 2, superstep 3: a message of superstep 1 from processor 1 arrived after
2 too_many_messages_while_buffers_leave bsp_oblsync: processor 0 of 2, superstep 2: expects 0 messages, and 1 has arrived
2 oblsync_with_put bsp_oblsync: @, superstep 2: puts, gets and registrations need bsp_sync
2 oblsync_with_get bsp_oblsync: @, superstep 2: puts, gets and registrations need bsp_sync
2 oblsync_with_registration bsp_oblsync: @, superstep 1: puts, gets and registrations need bsp_sync
2 oblsync_where_a_put_comes bsp_oblsync: processor 1 of 2, superstep 2: .* bsp_sync
END
}

mistakes_with_messages() {
    table <<END
2 send_to_nobody bsp_send: @, superstep 3: there is no processor 2: they are 0 .. 1
2 send_to_negative bsp_send: @, superstep 1: there is no processor -1
2 send_null bsp_send: @, superstep 1: the buffer is a null pointer
2 send_negative_size bsp_send: @, superstep 1: a message of [0-9]* bytes: a negative number
2 hpsend_to_nobody bsp_hpsend: @, superstep 1: there is no processor 2
2 hpsend_null bsp_hpsend: @, superstep 1: the buffer is a null pointer
2 createmsg_negative bsp_createmsg: @, superstep 1: a message of [0-9]* bytes: a negative number
2 createmsg_huge bsp_createmsg: @: no memory for
2 sendmsg_to_nobody bsp_sendmsg: @, superstep 1: there is no processor 2
2 sendmsg_received bsp_sendmsg: @, superstep 2: the message was not made by bsp_createmsg
2 sendmsg_twice bsp_sendmsg: @, superstep 1: the message was not made by bsp_createmsg
2 sendmsg_large_twice bsp_sendmsg: @, superstep 1: the message was not made by bsp_createmsg
2 sendmsg_null bsp_sendmsg: @, superstep 1: the message was not made by bsp_createmsg
2 freemsg_received bsp_freemsg: @, superstep 2: the message was not made by bsp_createmsg
2 findmsg_of_nobody bsp_findmsg: @, superstep 1: there is no processor 2
END
}

mistakes_with_remote_memory() {
    table <<END
2 push_negative bsp_push_reg: @, superstep 1: [0-9]* bytes: a negative number
2 push_null bsp_push_reg: @, superstep 1: a null pointer with 4 bytes
2 pop_unknown bsp_pop_reg: @, superstep 1: this memory is not registered
2 pop_twice bsp_pop_reg: @, superstep 2: this memory is not registered
2 put_unregistered bsp_put: @, superstep 1: this memory is not registered
2 put_before_sync bsp_put: @, superstep 1: this memory is not registered
2 put_after_pop bsp_put: @, superstep 3: this memory is not registered
2 put_on_group_of_machine_memory bsp_put: processor 0 of 1 of group [01] at depth 1, superstep 1: this memory is not
2 put_to_nobody bsp_put: @, superstep 2: there is no processor 2
2 put_past_end bsp_sync: processor 1 of 2, superstep 2: a put of processor 0, 4 bytes at offset 14, is outside of the 16 bytes
2 put_far_past_end bsp_sync: @, superstep 2: a put of processor [01], 4 bytes at offset 18446744073709551614
2 hpput_past_end bsp_sync: processor 1 of 2, superstep 2: a put of processor 0, 30000 bytes at offset 0
2 hpput_unregistered bsp_hpput: @, superstep 1: this memory is not registered
2 put_into_nothing bsp_sync: processor 1 of 2, superstep 2: a put of processor 0, 4 bytes .*outside of the 0 bytes
2 only_one_registers bsp_sync: @, superstep 1: bsp_push_reg was \(not called\|called once\) in this superstep, and was \(not called\|called once\) on processor [01]
3 only_one_registers_on_a_copy bsp_sync: processor [01] of 3 of a copy at depth 1, superstep 2: bsp_push_reg was \(not called\|called once\) in
4 half_of_them_register bsp_sync: processor [13] of 4, superstep 1: bsp_push_reg was \(not called\|called once\) in
2 get_past_end bsp_sync: @, superstep 2: a get of processor [01], 16 bytes at offset 4
2 hpget_past_end bsp_sync: @, superstep 2: a get of processor [01], 30000 bytes at offset 0
2 get_unregistered bsp_get: @, superstep 1: this memory is not registered
2 hpget_unregistered bsp_hpget: @, superstep 1: this memory is not registered
2 get_from_nobody bsp_get: @, superstep 2: there is no processor -2
2 get_to_null bsp_get: @, superstep 2: a null pointer with 4 bytes
END
    lacks half_of_them_register.4/err "Segmentation fault"
}

mistakes_with_collective_operations() {
    table <<END
2 broadcast_from_nobody bsp_broadcast: @, superstep 1: there is no processor 2
2 broadcast_negative bsp_broadcast: @, superstep 1: [0-9]* bytes: a negative number
2 gather_negative bsp_gather: @, superstep 1: [0-9]* bytes: a negative number, or too many
2 reduce_without_operation bsp_reduce: @, superstep 1: no operation is given
2 reduce_too_large bsp_reduce: @, superstep 1: [0-9]* bytes: a negative number, or too many
2 broadcast_of_unequal_size bsp_broadcast: processor 1 of 2, superstep 1: processor 0 passes 8 bytes
2 different_operations bsp_broadcast: processor 1 of 2, superstep 1: processor 0 calls bsp_totalexchange here
END
}

deadlocks_end_with_who_waits_for_what() {
    export PUB_CHECK_SECONDS=0.02
    table <<END
1 thousand_messages bsp_oblsync: processor 0 of 1, superstep 5: waits for 1000 messages, none has arrived
2 thousand_messages   bsp_oblsync: processor 1 of 2, superstep 5: waits for 1000 messages, none has arrived
2 message_that_never_comes   bsp_oblsync: processor 0 of 2, superstep 2: waits for 1 message, none has arrived
4 thousand_messages   bsp_oblsync: processor 3 of 4, superstep 5: waits for 1000 messages, none has arrived
9 thousand_messages   and 4 more processors in the same way
3 all_wait_for_messages   bsp_oblsync: processor 2 of 3, superstep 1: waits for 1 message, none has arrived
2 oblsync_alone   bsp_oblsync: processor 1 of 2, superstep 1: waits for 2 messages, 1 has arrived
4 two_have_ended_and_two_wait   bsp_oblsync: processor 3 of 4, superstep 2: waits for 1 message, none has arrived
2 one_waits_on_a_group   bsp_sync: processor 0 of 2 of group 0 at depth 1, superstep 1: waits for the other processors
2 one_waits_for_a_collective   bsp_broadcast: processor 0 of 2, superstep 1: waits for a message of processor 1
2 copies_in_another_order   bsp_sync: processor 1 of 2 of a copy at depth 1, superstep 1: waits for the other processors
4 groups_wait_for_each_other   bsp_sync: processor 1 of 2 of group 0 at depth 1, superstep 1: waits for the other processors
2 two_collectives   bsp_reduce: processor 1 of 2 of a copy at depth 1, superstep 1: waits for a message of processor 0
3 slow_and_then_a_deadlock   bsp_oblsync: processor 0 of 3, superstep 6: waits for 1 message, none has arrived
9 message_that_never_comes   and 4 more processors in the same way
2 finalize_in_the_parallel_part MPI_Finalize: processor 1 of 2, superstep 1: bsplib_done has not been called
END
    has message_that_never_comes.2/err '^pub: all processors wait, and no message is on its way:'
    has message_that_never_comes.2/err '^pub:   bsp_sync: processor 1 of 2, superstep 3: waits for the other processors'
    has message_that_never_comes.2/err '^pub: .*: no processor can go on'
    has two_have_ended_and_two_wait.4/err '^pub:   bsplib_done: processor 0 of 4, superstep 1: waits for a message of processor'
}

deadlocks_are_found_after_a_second() {
    table <<END
2 thousand_messages   bsp_oblsync: processor 1 of 2, superstep 5: waits for 1000 messages, none has arrived
END
}

deadlocks_are_found_with_checks() {
    export PUB_CHECK=1 PUB_CHECK_SECONDS=0.02
    table <<END
2 message_that_never_comes   bsp_oblsync: processor 0 of 2, superstep 2: waits for 1 message, none has arrived
2 one_waits_on_a_group   bsp_done: processor 1 of 2 of group 0 at depth 1, superstep 1: waits for
END
}

numbers_of_supersteps_are_compared() {
    export PUB_CHECK=1
    table <<END
2 unequal_counts bsplib_done: @, superstep [23]: processor 0 is here in superstep 2, processor 1 in superstep 3
9 unequal_counts bsplib_done: @, superstep [23]: processor [0-9] is here in superstep 2, processor 1 in superstep 3
2 unequal_counts_of_group bsp_done: @ of group 0 at depth 1, superstep [12]: processor 0 is here in superstep 1
END
}

# One that computes, sleeps, polls or is stopped is waited for, twenty times as long as PUB_CHECK_SECONDS.
slow_programs_are_not_stopped() {
    mpi_library openmpi pub
    export PUB_CHECK_SECONDS=0.005
    for p in 2 4; do
        run_program $p misuse slow_in_every_way || fail "it was stopped: $(cat err)"
        is "$(grep -c 'not stopped' out)" $p "processors that came to their end"
        lacks err '^pub:'
    done
}

slow_program_is_reported() {
    export SLOW=$try # seconds: where others compute, the other one may be as late
    run_program 2 misuse slow_but_right || { touch ../stopped; fail "it was stopped"; }
    is "$(grep -c 'not stopped' out)" 2 "processors that came to their end"
    has err '^pub: bsp_sync: processor 1 of 2, superstep 1: has waited [0-9]* s for the other processors; processes that have not answered: 0'
    has err '^pub: bsp_sync: processor 0 of 2, superstep 2: has waited [0-9]* s for the other processors; processes that have not answered: 1'
}
processes_that_do_not_answer_are_named() {
    mpi_library openmpi pub
    export PUB_CHECK=1 PUB_CHECK_SECONDS=0.005
    eventually slow_program_is_reported
    gone stopped
}

environment_that_makes_no_sense() {
    mpi_library openmpi pub
    for setting in PUB_CHECK=2 PUB_CHECK=yes PUB_CHECK=-1 PUB_BUFFER=0 PUB_BUFFER=-3 PUB_BUFFER=1x \
        PUB_BUFFER=99999999999999999999999 PUB_PIECES=-1 PUB_PIECES=1048577 PUB_PIECES=16K PUB_CHECK_SECONDS=nan PUB_CHECK_SECONDS=-1 PUB_CHECK_SECONDS=1s; do
        (
            export "${setting?}"
            ! timeout 300 "$CLL_BUILD/tests/pub/misuse.openmpi" nothing_wrong >out 2>err || fail "$setting was taken"
            has err "^pub: bsplib_init: .*$setting: a number "
        ) || exit 1
    done
    PUB_CHECK='' PUB_CHECK_SECONDS='' PUB_BUFFER='' PUB_PIECES='' PUB_TRACE='' run_program 2 misuse nothing_wrong || fail "empty values are none"
}

control_characters_of_the_environment_are_shown() {
    mpi_library openmpi pub
    PUB_CHECK=$'a\nb\tc\e\x9b\xff\xc2\x9b\xc0\x8a\xe2\x80\xaeJürgen' run_program 1 misuse nothing_wrong && fail "it was taken"
    has_text err 'PUB_CHECK=a\x0ab\x09c\x1b\x9b\xff\xc2\x9b\xc0\x8a\xe2\x80\xaeJürgen: a number in 0 .. 1 is expected'
}

main "$1"
