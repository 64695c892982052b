! every way out of a region
module work
  implicit none
  integer :: total = 0
contains
  integer function early(n) result(k)
    integer, intent(in) :: n
    k = 0
!$cll early early[0] + early[1]*n
    if (n == 1) return
    k = 1; if (n == 2) return ! a comment with 'quotes
10  k = 2
    if (n == 3) then
      return
    end if
    if (n == 4) &
      return
    k = 3
!$cll end early
  end function

  subroutine loops(n)
    integer, intent(in) :: n
    integer :: i, j
    outer: do i = 1, n
      !$cll body(i) body[0] + body[1]*i
      if (mod(i, 5) == 0) cycle
      do j = 1, 3
        !$cll inner inner[0]
        total = total + 1
        if (j == 2 .and. i == 2) cycle outer
        if (i == 9) exit outer
        if (j == 3) exit
        !$cll end inner
      end do
      blk: block
        integer :: q
        q = i
        !$cll inblock inblock[0] + inblock[1]*q
        if (q == 4) exit blk
        total = total + 10
        !$cll end inblock
      end block blk
      !$cll end body
    end do outer
  end subroutine

  subroutine jumps(n)
    integer, intent(in) :: n
    integer :: i, ios
    character(len=8) :: s
    i = 0
100 continue
    i = i + 1
    !$cll a a[0] + a[1]*i
    !$cll b b[0]
    if (i == 2) goto 200
    if (i == 3) go to 100
    if (i - 4) 300, 400, 300
300 continue
    s = merge('12      ', 'xx      ', i < 6)
    read (s, *, err=500, end=600) ios
    total = total + ios
    goto (700, 800), i - 4
    !$cll end b
700 total = total + 100
    !$cll end a
200 if (i < n) goto 100
    return
400 total = total + 1000
    goto 200
500 total = total + 7
    go to 200
600 stop 'never'
800 total = total + 3
    goto 200
  end subroutine

  subroutine alternate(n, *, *)
    integer, intent(in) :: n
    !$cll alt alt[0]
    if (n == 1) return 1
    if (n == 2) return 2
    !$cll end alt
  end subroutine

  recursive integer function fib(n) result(f)
    integer, intent(in) :: n
    !$cll fib fib[0] + fib[1]*n
    if (n < 2) then; f = n; return; end if
    f = fib(n - 1) + fib(n - 2)
    !$cll end fib
  end function

  subroutine oldloops
    integer i, j
    do 20 i = 1, 3
    do 20 j = 1, 3
      !$cll old old[0] + old[1]*j
      if (i == j) goto 20
      total = total + 1
      !$cll end old
20  continue
    do 30 i = 1, 2
      !$cll old2 old2[0]
      total = total + 1
      !$cll end old2
30  end do
  end subroutine
end module

program main
  use work
  implicit none
  integer :: i, if, do, end
  if = 3; do = 4; end = 5
  do i = 1, 5
    print *, early(i)
  end do
  call loops(12)
  print *, total
  call jumps(8)
  print *, total
  do i = 1, 3
    !$cll alts alts[0]
    call alternate(i, *77, *88)
    print *, 'none'
    cycle
    !$cll end alts
77  print *, 'one'
    cycle
88  print *, 'two'
  end do
  print *, fib(10)
  call oldloops
  print *, total, internal(3)
  select case (if)
  case (1)
    print *, 'one'
  case default
    !$cll sel(n = max(if, do)) sel[0] + sel[1]*n
    print *, 'default'
    !$cll end sel
  end select
  !$cll report early, body
contains
  integer function internal(k)
    integer, intent(in) :: k
    !$cll internal internal[0] + internal[1]*k
    internal = k*2
    !$cll end internal
  end function
end program
