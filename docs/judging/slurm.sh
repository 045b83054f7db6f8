#!/bin/bash
# Judges the items of items.jsonl in 8 shards. When all are done: lab judge merge part-*.jsonl --out run.jsonl
#SBATCH --job-name=judge
#SBATCH --array=0-7
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=04:00:00
#SBATCH --requeue
set -eu
# A shard that was cut off goes on where it stopped.
exec lab judge run --in items.jsonl --judge "gpt=openai,https://api.openai.com/v1,gpt-4o,OPENAI_API_KEY" \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --out "part-$SLURM_ARRAY_TASK_ID.jsonl"
