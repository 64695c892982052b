! SPDX-License-Identifier: MIT
! Time steps with the method that the user chose. Compiled with -DVERBOSE it prints every step.
#ifdef VERBOSE
#define SAY(text) if (l%rank == 0) print '(a)', text
#else
#define SAY(text)
#endif
!$cll parallel MPI
module stepping
  use precision, only: wide
  use settings, only: options
  use topology, only: layout
  use fields
  use stencils, only: explicit_step
  use solvers
  use checkpoints
  implicit none
  private
  public :: outcome, march

  type outcome
    real(wide) :: sum = 0
    integer :: iterations = 0
    logical :: good = .true.
  end type outcome

contains

  ! All steps with one method, from the same start.
  function march(o, l, method) result(done)
    type(options), intent(in) :: o
    type(layout), intent(in) :: l
    character(len=*), intent(in) :: method
    type(outcome) :: done
    type(field) :: now, next
    class(solver), allocatable :: s
    type(solver_result) :: found
    integer :: step, n
    call make_field(l, now)
    call make_field(l, next)
    call set_start(l, now)
    call copy(now, next)
    if (method /= 'explicit') call make_solver(method, l, o%most, o%tolerance, s)
    n = l%nx*l%ny
    steps: do step = 1, o%steps
      SAY('step')
      !$cll step(n, implicit = merge(0, 1, method == 'explicit')) step[0] + step[1]*n + step[2]*n*implicit
      if (method == 'explicit') then
        call exchange(l, now)
        call explicit_step(l, o%courant, now, next)
      else
        call solve(s, l, o%courant*o%stretch, now, next, found)
        done%iterations = done%iterations + found%iterations
        if (.not. found%converged) then
          done%good = .false.
          exit steps
        end if
      end if
      call copy(next, now)
      if (o%every == 0) cycle steps
      if (mod(step, o%every) /= 0) cycle
      call save_field(l, now, o%checkpoint, done%good)
      if (.not. done%good) return
      !$cll end step
    end do steps
    done%sum = checksum(l, now)
    if (o%every > 0 .and. done%good) call compare(now)
  contains
    ! The last checkpoint has the field of its step.
    subroutine compare(f)
      type(field), intent(in) :: f
      type(field) :: saved
      logical :: good
      if (mod(o%steps, o%every) /= 0) return
      call make_field(l, saved)
      call load_field(l, saved, o%checkpoint, good)
      done%good = good
      if (good) done%good = largest(l, f, saved) <= 0
    end subroutine compare
  end function march

end module stepping
