import type { Command } from 'commander'
import type { CliContext } from '../command/cli-context.ts'
import { addImportPurchases } from './import-purchases.ts'
import { addImportUsers } from './import-users.ts'

/** `portaria import …`: users of another system, and their purchases. */
export function importCommands(program: Command, cli: CliContext): void {
  const verb = program.command('import').description('bring users of another system along, and what they have paid')
  addImportUsers(verb, cli)
  addImportPurchases(verb, cli)
}
