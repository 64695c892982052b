! SPDX-License-Identifier: MIT
! What the user asks for: words NAME=VALUE on the command line, or in a file that file=NAME names.
module settings
  use precision, only: wide
  implicit none
  private
  public :: options, read_options, describe

  integer, parameter :: longest = 256

  type options
    integer :: nx = 96                       ! inner points of a row
    integer :: ny = 96                       ! rows
    integer :: steps = 4                     ! time steps
    integer :: sizes = 1                     ! the grid is doubled this often, less one
    integer :: every = 0                     ! a checkpoint each so many steps; 0: none
    real(wide) :: courant = 0.2_wide         ! dt/h^2 of explicit steps
    real(wide) :: stretch = 20               ! implicit steps are so much longer
    real(wide) :: tolerance = 1.0e-8_wide
    integer :: most = 200                    ! iterations of a solver
    character(len=12) :: method = 'both'     ! explicit, jacobi, cg, both
    character(len=longest) :: checkpoint = 'heat.save'
    logical :: quiet = .false.
  end type options

contains

  subroutine read_options(o, good)
    type(options), intent(inout) :: o
    logical, intent(out) :: good
    character(len=longest) :: word
    integer :: i, length, status
    good = .true.
    do i = 1, command_argument_count()
      call get_command_argument(i, word, length, status)
      if (status /= 0) then
        print '(a,i0,a)', 'heat: argument ', i, ' is too long'
        good = .false.
        return
      end if
      if (word(1:5) == 'file=') then
        call read_file(o, word(6:), good)
      else
        call take(o, word, good)
      end if
      if (.not. good) exit
    end do
    if (good) call check(o, good)
  end subroutine read_options

  ! A file with one word per line; what follows # is a comment.
  recursive subroutine read_file(o, name, good)
    type(options), intent(inout) :: o
    character(len=*), intent(in) :: name
    logical, intent(out) :: good
    character(len=longest) :: line
    integer :: unit, hash
    good = .false.
    open (newunit=unit, file=name, status='old', action='read', err=90)
    do
      read (unit, '(a)', end=20, err=80) line
      hash = index(line, '#')
      if (hash > 0) line = line(:hash - 1)
      if (len_trim(line) == 0) cycle
      call take(o, adjustl(line), good)
      if (.not. good) then
        close (unit)
        return
      end if
    end do
20  close (unit)
    good = .true.
    return
80  close (unit)
90  print '(3a)', 'heat: cannot read ', trim(name), '; give file=NAME of an existing file'
  end subroutine read_file

  subroutine take(o, word, good)
    type(options), intent(inout) :: o
    character(len=*), intent(in) :: word
    logical, intent(out) :: good
    integer :: equals, status
    equals = index(word, '=')
    good = equals > 1
    status = 0
    if (good) then
      associate (value => word(equals + 1:))
        select case (word(:equals - 1))
        case ('nx')
          read (value, *, iostat=status) o%nx
        case ('ny')
          read (value, *, iostat=status) o%ny
        case ('n')
          read (value, *, iostat=status) o%nx
          o%ny = o%nx
        case ('steps')
          read (value, *, iostat=status) o%steps
        case ('sizes')
          read (value, *, iostat=status) o%sizes
        case ('every')
          read (value, *, iostat=status) o%every
        case ('courant')
          read (value, *, iostat=status) o%courant
        case ('stretch')
          read (value, *, iostat=status) o%stretch
        case ('tolerance')
          read (value, *, iostat=status) o%tolerance
        case ('most')
          read (value, *, iostat=status) o%most
        case ('method'); o%method = value
        case ('checkpoint'); o%checkpoint = value
        case ('quiet'); o%quiet = value == 'yes'
        case default
          good = .false.
        end select
      end associate
    end if
    if (.not. good .or. status /= 0) then
      print '(3a)', 'heat: ', trim(word), ' is not understood; write n=96 steps=4 method=cg, for example'
      good = .false.
    end if
  end subroutine take

  subroutine check(o, good)
    type(options), intent(in) :: o
    logical, intent(out) :: good
    good = o%nx > 1 .and. o%ny > 1 .and. o%steps >= 0 .and. o%sizes > 0 .and. o%most > 0
    if (.not. good) print '(a)', 'heat: nx and ny must be above 1, sizes and most above 0'
    select case (o%method)
    case ('explicit', 'jacobi', 'cg', 'both')
    case default
      print '(3a)', 'heat: method is explicit, jacobi, cg or both, not ', trim(o%method)
      good = .false.
    end select
  end subroutine check

  subroutine describe(o, processes)
    type(options), intent(in) :: o
    integer, intent(in) :: processes
    if (o%quiet) return
    print '(a,i0,a,i0,a,i0,a,i0,2a)', 'grid ', o%nx, ' x ', o%ny, ', ', o%steps, ' steps, ', processes, &
      ' processes, method ', trim(o%method)
  end subroutine describe

end module settings
