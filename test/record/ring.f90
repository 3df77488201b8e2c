! Messages around a ring, and sums.
program ring
  use mpi
  implicit none
  integer :: rank, p, error, i, request, state(MPI_STATUS_SIZE)
  double precision :: a(64), b(64), total
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, p, error)
  a = rank
  do i = 1, 3
    call MPI_Irecv(b, 64, MPI_DOUBLE_PRECISION, mod(rank + p - 1, p), i, MPI_COMM_WORLD, request, error)
    call MPI_Send(a, 64, MPI_DOUBLE_PRECISION, mod(rank + 1, p), i, MPI_COMM_WORLD, error)
    call MPI_Wait(request, state, error)
    call MPI_Allreduce(b(1), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    call MPI_Allreduce(MPI_IN_PLACE, b, 2, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
  end do
  if (abs(total - p * (p - 1) / 2) > 1d-9) stop 1
  call MPI_Finalize(error)
end program ring
