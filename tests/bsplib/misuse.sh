# SPDX-License-Identifier: GPL-3.0-or-later
# Mistakes in BSPlib programs. A test is a function with a table (tests/harness/mistakes.sh).
. "$CLL_SOURCE/tests/bsplib/setup.sh"
. "$CLL_SOURCE/tests/harness/mistakes.sh"
library=bsp

mistakes_at_begin_and_end() {
    table <<END
2 begin_twice bsp_begin: @, superstep 1: it has been called before
2 begin_after_end bsp_begin: bsp_end has been called: there is one parallel part
2 begin_with_none bsp_begin: 0 processors: at least one is needed
2 begin_with_negative bsp_begin: -3 processors: at least one is needed
2 begin_after_finalize MPI_Finalize has been called: MPI cannot be started again
1 init_twice bsp_init: it has been called before
2 init_without_function bsp_init: the function with the parallel part is a null pointer
2 init_in_the_parallel_part bsp_init: @, superstep 1: it must be called before bsp_begin
2 init_after_end bsp_init: it must be called before bsp_begin
2 end_twice bsp_end: bsp_end has been called
2 pid_after_end bsp_pid: bsp_end has been called
2 exit_without_end bsp_end: @, superstep 1: the program ends without this call
3 one_exits_without_end bsp_end: processor 1 of 3, superstep 1: the program ends without this call
2 end_with_put bsp_end: @, superstep 2: messages were sent in this superstep, the first to processor [01], and the superstep was not ended
2 end_with_message bsp_end: @, superstep 1: messages were sent in this superstep
3 one_ends_others_sync bsp_sync: @, superstep 1: processor 0 has called bsp_end: it does not end this superstep
2 abort_with_text processor 1 of 2, superstep 2: only 3 of 4$
2 abort_before_begin no input$
END
}

calls_before_the_parallel_part() {
    table <<END
2 pid_before_begin bsp_pid: bsp_begin has not been called
2 time_before_begin bsp_time: bsp_begin has not been called
2 sync_before_begin bsp_sync: bsp_begin has not been called
2 end_before_begin bsp_end: bsp_begin has not been called
2 push_before_begin bsp_push_reg: bsp_begin has not been called
2 put_before_begin bsp_put: bsp_begin has not been called
2 send_before_begin bsp_send: bsp_begin has not been called
2 tagsize_before_begin bsp_set_tagsize: bsp_begin has not been called
2 qsize_before_begin bsp_qsize: bsp_begin has not been called
2 get_tag_before_begin bsp_get_tag: bsp_begin has not been called
2 move_before_begin bsp_move: bsp_begin has not been called
END
}

mistakes_with_remote_memory() {
    table <<END
2 push_negative bsp_push_reg: @, superstep 1: .*a negative number
2 push_null_with_bytes bsp_push_reg: @, superstep 1: a null pointer with 4 bytes
2 pop_unregistered bsp_pop_reg: @, superstep 1: this memory is not registered
2 pop_null_unregistered bsp_pop_reg: @, superstep 1: this memory is not registered
2 pop_twice bsp_pop_reg: @, superstep 2: this memory is not registered
2 put_to_nobody bsp_put: @, superstep 2: there is no processor 2: they are 0 .. 1
2 get_from_nobody bsp_get: @, superstep 2: there is no processor -1
2 put_unregistered bsp_put: @, superstep 1: this memory is not registered: give it to bsp_push_reg first
2 put_in_the_superstep_of_the_push bsp_put: @, superstep 1: this memory is not registered.*and then call bsp_sync
2 put_after_pop bsp_put: @, superstep 3: this memory is not registered
2 put_inside_of_registered bsp_put: @, superstep 2: this memory is not registered
2 put_to_null bsp_put: @, superstep 2: the registered address is a null pointer
2 put_from_null bsp_put: @, superstep 2: a null pointer with 4 bytes
2 put_negative bsp_put: @, superstep 2: .*a negative number
2 put_at_negative_offset bsp_sync: @, superstep 2: a put of processor [01], .* is outside of the 16 bytes
2 put_past_the_end bsp_sync: @, superstep 2: a put of processor [01], 16 bytes at offset 4, is outside of the 16 bytes
2 hpput_past_the_end bsp_sync: @, superstep 2: a put of processor [01], 1 bytes at offset 16
2 get_past_the_end bsp_sync: @, superstep 2: a get of processor [01], 1 bytes at offset 16
2 hpget_past_the_end bsp_sync: @, superstep 2: a get of processor [01], 1 bytes at offset 16
2 put_where_null_is_registered bsp_sync: processor 1 of 2, superstep 2: a put of processor 0, .* is outside of the 0 bytes
END
}

mistakes_with_messages() {
    table <<END
2 send_to_nobody bsp_send: @, superstep 1: there is no processor -1
2 send_negative bsp_send: @, superstep 1: .*a negative number
2 send_null_with_bytes bsp_send: @, superstep 1: the buffer is a null pointer, and the message has 4 bytes
2 send_without_tag bsp_send: @, superstep 2: the tag is a null pointer, and tags have 4 bytes
2 tagsize_negative bsp_set_tagsize: @, superstep 1: -1 bytes: a negative number
2 tagsize_null bsp_set_tagsize: @, superstep 1: the pointer to the size is null
2 move_from_empty_queue bsp_move: @, superstep 1: the queue is empty
2 move_to_null bsp_move: @, superstep 2: the buffer is a null pointer, and the payload has 16 bytes
2 move_negative bsp_move: @, superstep 2: .*a negative number
2 hpmove_to_null bsp_hpmove: @, superstep 2: the pointer to the tag or to the payload is null
2 get_tag_without_status bsp_get_tag: @, superstep 1: the pointer to the status is null
2 get_tag_to_null bsp_get_tag: @, superstep 3: the pointer to the tag is null, and tags have 4 bytes
2 qsize_null bsp_qsize: @, superstep 1: the pointer to the number of messages is null
END
}

# The next bsp_sync tells: neighbours compare what they called.
calls_that_differ_between_processors() {
    table <<END
3 one_pushes_more bsp_sync: processor [12] of 3, superstep 1: bsp_push_reg was \(not called\|called once\) in this superstep, and was \(not called\|called once\) on processor [01]
4 one_pushes_more bsp_sync: processor [12] of 4, superstep 1: bsp_push_reg was \(not called\|called once\) in this superstep, and was \(not called\|called once\) on processor [01]
9 one_pushes_more bsp_sync: processor [12] of 9, superstep 1: bsp_push_reg was \(not called\|called once\) in this superstep, and was \(not called\|called once\) on processor [01]
2 one_pushes_more_and_sends bsp_sync: @, superstep 2: bsp_push_reg was \(not called\|called once\) in this superstep, and was \(not called\|called once\) on processor [01]
3 one_pops_more bsp_sync: @, superstep 2: bsp_pop_reg was \(not called\|called once\) in this superstep, and was \(not called\|called once\) on processor [012]
2 one_pushes_and_the_other_pops bsp_sync: @, superstep 2: bsp_push_reg was \(not called\|called once\) in this superstep, and was \(not called\|called once\) on processor [01]
2 pop_of_different_ones bsp_sync: @, superstep 3: bsp_push_reg and bsp_pop_reg were called in another order than on processor [01]
2 pop_before_push bsp_sync: @, superstep 2: bsp_push_reg and bsp_pop_reg were called in another order than on processor [01]
3 tagsizes_differ bsp_sync: processor [12] of 3, superstep 1: bsp_set_tagsize was called with other values than on processor [01], with [48] last, there with [48]
2 tagsizes_differ_on_the_way bsp_sync: @, superstep 1: bsp_set_tagsize was called with other values than on processor [01], with 8 last, there with 8
3 one_sets_the_tagsize_again bsp_sync: @, superstep 2: bsp_set_tagsize was called \(once\|2 times\) in this superstep, and was called \(once\|2 times\) on processor [012]
2 one_sets_no_tagsize bsp_sync: @, superstep 1: bsp_set_tagsize was \(not called\|called once\) in this superstep, and was \(not called\|called once\) on processor [01]
END
}

main "$1"
