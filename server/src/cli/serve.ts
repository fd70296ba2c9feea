import { type Command, Option } from 'commander'
import type { CliContext } from './command/cli-context.ts'
import { bold } from './command/styles.ts'

/** `portaria serve`: the service itself. */
export function serveCommand(program: Command, cli: CliContext): void {
  program
    .command('serve')
    .description('run the service until it is stopped')
    .addHelpText(
      'after',
      `\n${bold('Example:')}\n  $ PORT=8080 portaria serve\n\nEverything is set by environment variables: docs/operate/configure.md lists them.`,
    )
    .addOption(new Option('--process <place>').choices(['first', 'later']).hideHelp()) // from the parent of several processes
    .action(async ({ process }: { process?: 'first' | 'later' }) => {
      const { serve } = await import('../main.ts') // only here: no other command needs the service
      cli.exitCode = await serve(cli.environment, process)
    })
}
