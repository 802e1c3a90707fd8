#!/bin/bash
# Counts the pairs of pairs.csv with NVIDIA's profiler on a GPU, one launch each, for limiter_table.py.
#
# Needs: a Hopper GPU on which this user may read counters (root, or NVreg_RestrictProfilingToAdminUsers=0), ncu and
# NVRTC (both of CUDA 12.6 or later; the toolkit's folder is found by itself), and the program:
#   ./warplens in the present folder with its kernels beside it as in a package, or WARPLENS=/path/to/warplens.
# Writes $OUT/limiters.csv (a line '# kernel,params,size' before each launch's rows, as ncu prints them with --csv) and
# $OUT/limiters.log (what failed, and the seconds of each). About 6 minutes; begins no pair after LIMIT=450 seconds.
#
# The launch counted is the seventh: by then the clocks have risen and the caches are as they are when launches follow
# each other, which is also what --cache-control none keeps (the model predicts launches that follow each other).
set -u
out=${OUT:-.}
warplens=${WARPLENS:-./warplens}
pairs=${PAIRS:-$(dirname "$0")/pairs.csv}
limit=${LIMIT:-450}
export PATH="$PATH:/usr/local/cuda/bin:/opt/nvidia/nsight-compute/2025.3.1"
command -v ncu >/dev/null || { echo "there is no ncu on PATH" >&2; exit 2; }

active=avg.pct_of_peak_sustained_active
elapsed=avg.pct_of_peak_sustained_elapsed
wanted="gpu__time_duration.sum sm__cycles_active.avg sm__cycles_elapsed.max sm__inst_executed.sum
 sm__issue_active.$active smsp__issue_active.$active sm__inst_issued.$active sm__warps_active.$active
 l1tex__data_pipe_lsu_wavefronts.$active l1tex__data_pipe_lsu_wavefronts.sum
 l1tex__data_pipe_lsu_wavefronts_mem_shared.sum l1tex__t_sectors.sum l1tex__t_sector_hit_rate.pct
 l1tex__throughput.$active
 lts__t_sectors.$elapsed lts__t_sectors.sum lts__t_sector_hit_rate.pct lts__throughput.$elapsed
 lts__t_sectors_srcunit_tex.sum lts__t_sectors_srcunit_tex_lookup_hit.sum
 dram__throughput.$elapsed dram__bytes.sum dram__bytes_read.sum dram__bytes_write.sum"
# The way between the SMs and L2, from end to end: requests leave an SM, data come back to it; a slice of L2 takes
# requests in, looks up tags and data, and sends data out; between the two halves of L2.
wanted="$wanted l1tex__m_l1tex2xbar_req_cycles_active.$elapsed l1tex__m_l1tex2xbar_write_sectors.$elapsed
 l1tex__m_xbar2l1tex_read_sectors.$elapsed l1tex__m_xbar2l1tex_read_sectors.sum
 lts__xbar2lts_cycles_active.$elapsed lts__lts2xbar_cycles_active.$elapsed lts__lts2xbar_cycles_active.sum
 lts__t_tag_requests.$elapsed lts__d_sectors.$elapsed lts__d_sectors_fill_device.$elapsed"
for pipe in fma fmaheavy fmalite alu xu fp64 fp16 lsu uniform cbu adu; do
  wanted="$wanted sm__inst_executed_pipe_$pipe.$active"
done
for pipe in fma fmaheavy alu fp64 xu; do wanted="$wanted sm__pipe_${pipe}_cycles_active.$active"; done
for reason in selected not_selected wait long_scoreboard short_scoreboard barrier math_pipe_throttle lg_throttle \
  mio_throttle dispatch_stall branch_resolve no_instruction membar; do
  wanted="$wanted smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio"
done

# Those that this chip has; all of them where ncu does not list any.
known=$(timeout 60 ncu --query-metrics --chip gh100 2>/dev/null | awk '{print $1}')
metrics=""
for metric in $wanted; do
  if [ -z "$known" ] || grep -qx "${metric%%.*}" <<<"$known"; then metrics="$metrics,$metric"
  else echo "not on this chip: $metric" >>"$out/limiters.log"; fi
done
metrics=${metrics#,}
# The parts of L2 and of L1 of which ncu's throughputs are the busiest. They have no list that one can ask beforehand, so
# they are left out where a first try finds nothing.
parts=",breakdown:lts__throughput.$elapsed,breakdown:l1tex__throughput.$active"

count() { # KERNEL PARAMS SIZE METRICS: its rows
  local kernel=$1 size=$3 metrics=$4 values=() value
  for value in $2; do values+=(-D "$value"); done
  timeout 60 ncu --target-processes all --clock-control none --cache-control none --csv --print-units base \
    --launch-skip 6 --launch-count 1 --metrics "$metrics" \
    "$warplens" run "$kernel" "${values[@]}" --size "$size" --engine gpu --seconds 0.01 --timeout 50 \
    >/tmp/limiter_rows.txt 2>/tmp/limiter_messages.txt </dev/null
}

IFS=, read -r kernel params size < <(sed -n 2p "$pairs")
count "$kernel" "$params" "$size" "$metrics$parts"
if [ "$(grep -c '^"' /tmp/limiter_rows.txt)" -ge 10 ]; then metrics=$metrics$parts
else
  echo "no breakdown of throughputs:" >>"$out/limiters.log"
  tail -5 /tmp/limiter_rows.txt /tmp/limiter_messages.txt >>"$out/limiters.log"
fi

: >"$out/limiters.csv"
tail -n +2 "$pairs" | while IFS=, read -r kernel params size; do
  if [ $SECONDS -gt "$limit" ]; then echo "no time left for $kernel,$params,$size" >>"$out/limiters.log"; continue; fi
  begin=$SECONDS
  echo "# $kernel,$params,$size" >>"$out/limiters.csv"
  count "$kernel" "$params" "$size" "$metrics"
  code=$?
  grep '^"' /tmp/limiter_rows.txt >>"$out/limiters.csv"
  rows=$(grep -c '^"' /tmp/limiter_rows.txt)
  echo "$kernel,$params,$size: exit code $code, $rows rows, $((SECONDS - begin)) s" >>"$out/limiters.log"
  if [ "$rows" -lt 10 ]; then
    grep -v '^"' /tmp/limiter_rows.txt | tail -5 >>"$out/limiters.log"
    tail -5 /tmp/limiter_messages.txt >>"$out/limiters.log"
  fi
done
nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem --format=csv >>"$out/limiters.log" 2>&1
grep -c '^#' "$out/limiters.csv"
