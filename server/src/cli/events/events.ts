import type { Command } from 'commander'
import type { CliContext } from '../command/cli-context.ts'
import { addListing } from './events-list.ts'
import { addReplay } from './events-replay.ts'
import { addShow } from './events-show.ts'
import { addTail } from './events-tail.ts'

/** `portaria events …`: events as endpoints received them, and the outcome. */
export function eventsCommands(program: Command, cli: CliContext): void {
  const events = program.command('events').description('events of the last 90 days, their deliveries and replays')
  addListing(events, cli)
  addShow(events, cli)
  addTail(events, cli)
  addReplay(events, cli)
}
