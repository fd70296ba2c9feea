import type { JobRefusal } from '../../admin/index.ts'

const jobs = {
  not_found: 'there is no such job, or it has been done: see `portaria outbox list`',
  running: 'this job is being tried at this moment: see in a minute what became of it, with `portaria outbox show ID`',
} as const satisfies Record<JobRefusal['refusal'], string>

export function jobSentence({ refusal }: JobRefusal): string {
  return jobs[refusal]
}
