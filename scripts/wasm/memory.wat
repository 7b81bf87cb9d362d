;; Copies and fills memory with what the first version of WebAssembly has, for build-wasm.sh: it takes the place of loops
;; that go byte by byte. A chain charges fourteen times as much for a branch as for other instructions, so there are few:
;; up to 31 bytes are loaded whole before they are stored; longer runs go by 32, and the 32 at their end, which need not be
;; a multiple away, are loaded before the loop and stored after it. Loads and stores need no alignment.
(module
  (memory 1)

  ;; memory.copy: the runs may overlap.
  (func $copy (param $to i32) (param $from i32) (param $length i32)
    (local $end i32) (local $a i64) (local $b i64) (local $c i64) (local $d i64)
    (if (i32.ge_u (local.get $length) (i32.const 32))
      (then
        (if (i32.ge_u (i32.sub (local.get $to) (local.get $from)) (local.get $length))
          (then ;; upwards: nothing that is yet to be read is written before
            (local.set $end (i32.sub (i32.add (local.get $to) (local.get $length)) (i32.const 32)))
            (local.set $a (i64.load align=1 (i32.sub (i32.add (local.get $from) (local.get $length)) (i32.const 32))))
            (local.set $b (i64.load align=1 (i32.sub (i32.add (local.get $from) (local.get $length)) (i32.const 24))))
            (local.set $c (i64.load align=1 (i32.sub (i32.add (local.get $from) (local.get $length)) (i32.const 16))))
            (local.set $d (i64.load align=1 (i32.sub (i32.add (local.get $from) (local.get $length)) (i32.const 8))))
            (loop $next
              (i64.store align=1 (local.get $to) (i64.load align=1 (local.get $from)))
              (i64.store offset=8 align=1 (local.get $to) (i64.load offset=8 align=1 (local.get $from)))
              (i64.store offset=16 align=1 (local.get $to) (i64.load offset=16 align=1 (local.get $from)))
              (i64.store offset=24 align=1 (local.get $to) (i64.load offset=24 align=1 (local.get $from)))
              (local.set $to (i32.add (local.get $to) (i32.const 32)))
              (local.set $from (i32.add (local.get $from) (i32.const 32)))
              (br_if $next
                (i32.gt_u (local.tee $length (i32.sub (local.get $length) (i32.const 32))) (i32.const 32))))
            (i64.store align=1 (local.get $end) (local.get $a))
            (i64.store offset=8 align=1 (local.get $end) (local.get $b))
            (i64.store offset=16 align=1 (local.get $end) (local.get $c))
            (i64.store offset=24 align=1 (local.get $end) (local.get $d))
            (return)))
        ;; downwards: the target begins within the source
        (local.set $a (i64.load align=1 (local.get $from)))
        (local.set $b (i64.load offset=8 align=1 (local.get $from)))
        (local.set $c (i64.load offset=16 align=1 (local.get $from)))
        (local.set $d (i64.load offset=24 align=1 (local.get $from)))
        (local.set $end (local.get $to))
        (local.set $to (i32.add (local.get $to) (local.get $length)))
        (local.set $from (i32.add (local.get $from) (local.get $length)))
        (loop $next
          (local.set $to (i32.sub (local.get $to) (i32.const 32)))
          (local.set $from (i32.sub (local.get $from) (i32.const 32)))
          (i64.store offset=24 align=1 (local.get $to) (i64.load offset=24 align=1 (local.get $from)))
          (i64.store offset=16 align=1 (local.get $to) (i64.load offset=16 align=1 (local.get $from)))
          (i64.store offset=8 align=1 (local.get $to) (i64.load offset=8 align=1 (local.get $from)))
          (i64.store align=1 (local.get $to) (i64.load align=1 (local.get $from)))
          (br_if $next
            (i32.gt_u (local.tee $length (i32.sub (local.get $length) (i32.const 32))) (i32.const 32))))
        (i64.store align=1 (local.get $end) (local.get $a))
        (i64.store offset=8 align=1 (local.get $end) (local.get $b))
        (i64.store offset=16 align=1 (local.get $end) (local.get $c))
        (i64.store offset=24 align=1 (local.get $end) (local.get $d))
        (return)))
    (local.set $end (i32.add (local.get $to) (local.get $length)))
    (if (i32.ge_u (local.get $length) (i32.const 16))
      (then
        (local.set $a (i64.load align=1 (local.get $from)))
        (local.set $b (i64.load offset=8 align=1 (local.get $from)))
        (local.set $from (i32.add (local.get $from) (local.get $length)))
        (local.set $c (i64.load align=1 (i32.sub (local.get $from) (i32.const 16))))
        (local.set $d (i64.load align=1 (i32.sub (local.get $from) (i32.const 8))))
        (i64.store align=1 (local.get $to) (local.get $a))
        (i64.store offset=8 align=1 (local.get $to) (local.get $b))
        (i64.store align=1 (i32.sub (local.get $end) (i32.const 16)) (local.get $c))
        (i64.store align=1 (i32.sub (local.get $end) (i32.const 8)) (local.get $d))
        (return)))
    (if (i32.ge_u (local.get $length) (i32.const 8))
      (then
        (local.set $a (i64.load align=1 (local.get $from)))
        (local.set $b (i64.load align=1 (i32.sub (i32.add (local.get $from) (local.get $length)) (i32.const 8))))
        (i64.store align=1 (local.get $to) (local.get $a))
        (i64.store align=1 (i32.sub (local.get $end) (i32.const 8)) (local.get $b))
        (return)))
    (if (i32.ge_u (local.get $length) (i32.const 4))
      (then
        (local.set $a (i64.load32_u align=1 (local.get $from)))
        (local.set $b (i64.load32_u align=1 (i32.sub (i32.add (local.get $from) (local.get $length)) (i32.const 4))))
        (i64.store32 align=1 (local.get $to) (local.get $a))
        (i64.store32 align=1 (i32.sub (local.get $end) (i32.const 4)) (local.get $b))
        (return)))
    (if (local.get $length)
      (then ;; the first, the last, and the one in the middle, which can be the same
        (local.set $a (i64.load8_u (local.get $from)))
        (local.set $b (i64.load8_u (i32.add (local.get $from) (i32.shr_u (local.get $length) (i32.const 1)))))
        (local.set $c (i64.load8_u (i32.sub (i32.add (local.get $from) (local.get $length)) (i32.const 1))))
        (i64.store8 (local.get $to) (local.get $a))
        (i64.store8 (i32.add (local.get $to) (i32.shr_u (local.get $length) (i32.const 1))) (local.get $b))
        (i64.store8 (i32.sub (local.get $end) (i32.const 1)) (local.get $c)))))

  ;; memory.fill: the lowest byte of the value counts.
  (func $fill (param $to i32) (param $value i32) (param $length i32)
    (local $end i32) (local $bytes i64)
    (local.set $end (i32.add (local.get $to) (local.get $length)))
    (local.set $bytes
      (i64.mul
        (i64.extend_i32_u (i32.and (local.get $value) (i32.const 255)))
        (i64.const 0x0101010101010101)))
    (if (i32.ge_u (local.get $length) (i32.const 16))
      (then
        (if (i32.ge_u (local.get $length) (i32.const 32))
          (then
            (loop $next
              (i64.store align=1 (local.get $to) (local.get $bytes))
              (i64.store offset=8 align=1 (local.get $to) (local.get $bytes))
              (i64.store offset=16 align=1 (local.get $to) (local.get $bytes))
              (i64.store offset=24 align=1 (local.get $to) (local.get $bytes))
              (local.set $to (i32.add (local.get $to) (i32.const 32)))
              (br_if $next
                (i32.gt_u (local.tee $length (i32.sub (local.get $length) (i32.const 32))) (i32.const 32))))
            (i64.store align=1 (i32.sub (local.get $end) (i32.const 32)) (local.get $bytes))
            (i64.store align=1 (i32.sub (local.get $end) (i32.const 24)) (local.get $bytes)))
          (else
            (i64.store align=1 (local.get $to) (local.get $bytes))
            (i64.store offset=8 align=1 (local.get $to) (local.get $bytes))))
        (i64.store align=1 (i32.sub (local.get $end) (i32.const 16)) (local.get $bytes))
        (i64.store align=1 (i32.sub (local.get $end) (i32.const 8)) (local.get $bytes))
        (return)))
    (if (i32.ge_u (local.get $length) (i32.const 8))
      (then
        (i64.store align=1 (local.get $to) (local.get $bytes))
        (i64.store align=1 (i32.sub (local.get $end) (i32.const 8)) (local.get $bytes))
        (return)))
    (if (i32.ge_u (local.get $length) (i32.const 4))
      (then
        (i64.store32 align=1 (local.get $to) (local.get $bytes))
        (i64.store32 align=1 (i32.sub (local.get $end) (i32.const 4)) (local.get $bytes))
        (return)))
    (if (local.get $length)
      (then
        (i64.store8 (local.get $to) (local.get $bytes))
        (i64.store8 (i32.add (local.get $to) (i32.shr_u (local.get $length) (i32.const 1))) (local.get $bytes))
        (i64.store8 (i32.sub (local.get $end) (i32.const 1)) (local.get $bytes)))))

  (export "memory" (memory 0))
  (export "copy" (func $copy))
  (export "fill" (func $fill)))
