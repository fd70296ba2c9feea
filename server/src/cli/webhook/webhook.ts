import type { Command } from 'commander'
import type { CliContext } from '../command/cli-context.ts'
import { addListing } from './webhook-list.ts'
import { addReprocess, addResolve } from './webhook-resolve.ts'
import { addRuns } from './webhook-runs.ts'
import { addShow } from './webhook-show.ts'
import { addSign } from './webhook-sign.ts'
import { addTest } from './webhook-test.ts'

/** `portaria webhook …`: payment notifications, and the operator's actions on them. */
export function webhookCommands(program: Command, cli: CliContext): void {
  const webhook = program.command('webhook').description('notifications of payments: list them, resolve pending ones, test the webhook')
  addListing(webhook, cli)
  addShow(webhook, cli)
  addResolve(webhook, cli)
  addReprocess(webhook, cli)
  addRuns(webhook, cli)
  addTest(webhook, cli)
  addSign(webhook, cli)
}
