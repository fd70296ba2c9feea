import type { Command } from 'commander'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import type { Outcome } from '../command/output.ts'
import type { TailOptions } from './tail.ts'

export function addTail(events: Command, cli: CliContext): void {
  addVerb(events, 'tail', {
    summary: 'follow the events of a running service, and forward each to a local address; PORTARIA_ADMIN_TOKEN is its admin token',
    example: 'events tail --forward-to http://localhost:4001/hooks --product academy',
  })
    .requiredOption('--forward-to <url>', 'where each event is sent to, signed with a secret that is shown at the start')
    .option('--product <slug>', "only its events (default: every product's)")
    .option('--service <url>', 'the running service (default: PORTARIA_URL)')
    .option('--anywhere', 'the address need not be of this machine')
    .action((options: TailOptions & { json?: boolean }) => cli.print(options, tail(options, cli)))
}

/** Until Ctrl-C, or a signal that ends processes. */
async function tail(options: TailOptions, cli: CliContext): Promise<Outcome> {
  const { tailEvents } = await import('./tail.ts')
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  try {
    const service = options.service ?? cli.environment.PORTARIA_URL
    return await tailEvents({ ...options, ...(service !== undefined && { service }) }, cli, ending.signal)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
  }
}
