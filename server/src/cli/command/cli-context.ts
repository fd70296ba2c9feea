import type { Command } from 'commander'
import { readExperiments } from '../../config.ts'
import { type Gateway, gatewaysWith } from '../../products/index.ts'
import { complainOf } from './faults.ts'
import { type DatabaseWork, withContext, withNewContext } from './open-context.ts'
import { type Outcome, printOutcome, type Streams } from './output.ts'
import { bold } from './styles.ts'

/** The actor's name in the audit log for the command line. */
export const OPERATOR = 'operator:cli'

/** The context of every command: the streams, the gateways, and its exit code. */
export interface CliContext extends Streams {
  /** The gateways that this installation supports, as far as its environment can be read. */
  gateways: readonly Gateway[]
  exitCode: number
  /** Waits for a command's outcome and prints it. */
  print(options: { json?: boolean }, outcome: Promise<Outcome>): Promise<void>
  /** Prints what `work` comes to on the database (`withContext`). */
  onDatabase(options: { json?: boolean }, work: DatabaseWork): Promise<void>
  /** The same where the database is made if there is none (`withNewContext`). */
  onNewDatabase(options: { json?: boolean }, work: DatabaseWork): Promise<void>
}

export function createCliContext(streams: Streams): CliContext {
  const cli: CliContext = {
    ...streams,
    gateways: gatewaysWith(readExperiments(streams.environment)),
    exitCode: 0,
    async print(options, outcome) {
      cli.exitCode = printOutcome(await outcome.catch(complainOf), options, streams)
    },
    onDatabase: (options, work) => cli.print(options, withContext(streams, work)),
    onNewDatabase: (options, work) => cli.print(options, withNewContext(streams, work)),
  }
  return cli
}

/** A command below its noun, with `--json` and an example in its help. */
export function addVerb(noun: Command, usage: string, { summary, example }: { summary: string; example: string }): Command {
  return noun
    .command(usage)
    .description(summary)
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', `\n${bold('Example:')}\n  $ portaria ${example}`)
}
