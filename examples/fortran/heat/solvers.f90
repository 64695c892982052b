! SPDX-License-Identifier: MIT
! Solvers for one implicit step: the method of conjugate gradients, and that of Jacobi.
!$cll parallel MPI
module solvers
  use mpi
  use precision, only: wide
  use topology, only: layout
  use fields
  use stencils, only: apply, sweep_jacobi
  implicit none
  private
  public :: solver, solver_result, make_solver, solve

  type solver_result
    integer :: iterations = 0
    real(wide) :: residual = 0
    logical :: converged = .false.
  end type solver_result

  type, abstract :: solver
    integer :: most = 100
    real(wide) :: tolerance = 1.0e-8_wide
  contains
    procedure(solve_one), deferred :: run
  end type solver

  abstract interface
    subroutine solve_one(self, l, c, b, x, outcome)
      import :: solver, layout, field, solver_result, wide
      class(solver), intent(inout) :: self
      type(layout), intent(in) :: l
      real(wide), intent(in) :: c
      type(field), intent(in) :: b
      type(field), intent(inout) :: x
      type(solver_result), intent(out) :: outcome
    end subroutine solve_one
  end interface

  type, extends(solver) :: cg_solver
    type(field) :: r, p, q
  contains
    procedure :: run => run_cg
  end type cg_solver

  type, extends(solver) :: jacobi_solver
    type(field) :: next
  contains
    procedure :: run => run_jacobi
  end type jacobi_solver

contains

  subroutine make_solver(method, l, most, tolerance, s)
    character(len=*), intent(in) :: method
    type(layout), intent(in) :: l
    integer, intent(in) :: most
    real(wide), intent(in) :: tolerance
    class(solver), allocatable, intent(out) :: s
    if (method == 'jacobi') then
      allocate (jacobi_solver :: s)
    else
      allocate (cg_solver :: s)
    end if
    s%most = most
    s%tolerance = tolerance
    select type (s)
    type is (cg_solver)
      call make_field(l, s%r)
      call make_field(l, s%p)
      call make_field(l, s%q)
    type is (jacobi_solver)
      call make_field(l, s%next)
    class default
      error stop 'heat: a solver of no known type'
    end select
  end subroutine make_solver

  ! One solution, measured as a whole; the number of iterations is known only at its end.
  subroutine solve(s, l, c, b, x, outcome)
    class(solver), intent(inout) :: s
    type(layout), intent(in) :: l
    real(wide), intent(in) :: c
    type(field), intent(in) :: b
    type(field), intent(inout) :: x
    type(solver_result), intent(out) :: outcome
    integer :: n
    n = l%nx*l%ny
    select type (s)
    type is (cg_solver)
      !$cll sync(l%comm) solve_cg solve_cg[0] + solve_cg[1]*n
      call s%run(l, c, b, x, outcome)
      !$cll end solve_cg
    class default
      !$cll sync(l%comm) solve_other solve_other[0] + solve_other[1]*n
      call s%run(l, c, b, x, outcome)
      !$cll end solve_other
    end select
  end subroutine solve

  subroutine run_cg(self, l, c, b, x, outcome)
    class(cg_solver), intent(inout) :: self
    type(layout), intent(in) :: l
    real(wide), intent(in) :: c
    type(field), intent(in) :: b
    type(field), intent(inout) :: x
    type(solver_result), intent(out) :: outcome
    real(wide) :: old, new, alpha, goal
    integer :: k, n
    n = l%nx*l%ny
    call exchange(l, x)
    call apply(l, c, x, self%q)
    self%r%u(1:l%nx, 1:l%ny) = b%u(1:l%nx, 1:l%ny) - self%q%u(1:l%nx, 1:l%ny)
    call copy(self%r, self%p)
    old = dot(l, self%r, self%r)
    new = old
    goal = self%tolerance**2*dot(l, b, b)
    if (old <= goal) goto 900
    iterate: do k = 1, self%most
      !$cll iteration iteration[0] + iteration[1]*n
      outcome%iterations = k
      call exchange(l, self%p)
      call apply(l, c, self%p, self%q)
      alpha = old/dot(l, self%p, self%q)
      !$cll update update[0] + update[1]*n
      call axpy(l, alpha, self%p, x)
      call axpy(l, -alpha, self%q, self%r)
      !$cll end update
      new = dot(l, self%r, self%r)
      if (new <= goal) exit iterate
      call xpay(l, self%r, new/old, self%p)
      old = new
      !$cll end iteration
    end do iterate
    old = new
900 outcome%residual = sqrt(old)
    outcome%converged = old <= goal
  end subroutine run_cg

  subroutine run_jacobi(self, l, c, b, x, outcome)
    class(jacobi_solver), intent(inout) :: self
    type(layout), intent(in) :: l
    real(wide), intent(in) :: c
    type(field), intent(in) :: b
    type(field), intent(inout) :: x
    type(solver_result), intent(out) :: outcome
    real(wide) :: own, change
    integer :: k, ierr
    k = 0
10  continue
    k = k + 1
    call exchange(l, x)
    own = sweep_jacobi(l, c, b, x, self%next)
    x%u(1:l%nx, 1:l%ny) = self%next%u(1:l%nx, 1:l%ny)
    call MPI_Allreduce(own, change, 1, MPI_DOUBLE_PRECISION, MPI_MAX, l%comm, ierr)
    outcome%iterations = k
    outcome%residual = change
    outcome%converged = change <= self%tolerance
    if (.not. outcome%converged .and. k < self%most) go to 10
  end subroutine run_jacobi

  ! y = y + a*x
  subroutine axpy(l, a, x, y)
    type(layout), intent(in) :: l
    real(wide), intent(in) :: a
    type(field), intent(in) :: x
    type(field), intent(inout) :: y
    integer :: j
    do j = 1, l%ny
      y%u(1:l%nx, j) = y%u(1:l%nx, j) + a*x%u(1:l%nx, j)
    end do
  end subroutine axpy

  ! y = x + a*y
  subroutine xpay(l, x, a, y)
    type(layout), intent(in) :: l
    type(field), intent(in) :: x
    real(wide), intent(in) :: a
    type(field), intent(inout) :: y
    integer :: j
    do j = 1, l%ny
      y%u(1:l%nx, j) = x%u(1:l%nx, j) + a*y%u(1:l%nx, j)
    end do
  end subroutine xpay

end module solvers
