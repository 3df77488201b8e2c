! Wavefronts through a grid of the program's own numbering: of two sides for 4 processes and more.
program wave
  use mpi
  implicit none
  integer :: rank, p, q, error, step, k, row, column, n, state(MPI_STATUS_SIZE)
  double precision :: a(4096)
  character(16) :: word
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, p, error)
  call get_command_argument(1, word)
  read (word, *) n
  q = 1
  do while (2 * q * q <= p)
    q = 2 * q
  end do
  if (q * q > p) q = q / 2
  row = rank / (p / q)
  column = mod(rank, p / q)
  a = 0
  do step = 1, 3
    do k = 1, n - 2
      if (row > 0) call MPI_Recv(a, n / (p / q), MPI_DOUBLE_PRECISION, rank - p / q, 1, MPI_COMM_WORLD, state, error)
      if (column > 0) call MPI_Recv(a, n / q, MPI_DOUBLE_PRECISION, rank - 1, 2, MPI_COMM_WORLD, state, error)
      if (row < q - 1) call MPI_Send(a, n / (p / q), MPI_DOUBLE_PRECISION, rank + p / q, 1, MPI_COMM_WORLD, error)
      if (column < p / q - 1) call MPI_Send(a, n / q, MPI_DOUBLE_PRECISION, rank + 1, 2, MPI_COMM_WORLD, error)
    end do
    call MPI_Barrier(MPI_COMM_WORLD, error)
  end do
  call MPI_Finalize(error)
end program wave
