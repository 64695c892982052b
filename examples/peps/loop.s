	ldc	0
	stl	.ti1
.L15:
	ldl	.ti1+1
	ldl	.ti1
	gt
	cj	.L12
.L14:
.L13:
	ldl	.ti1
	adc	1
	stl	.ti1
	j	.L15
.L12:
