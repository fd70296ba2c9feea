import process from 'node:process'
import { Command, CommanderError } from 'commander'
import { type CliContext, createCliContext } from './command/cli-context.ts'
import { complain, type Streams } from './command/output.ts'
import { bold, showsStyles } from './command/styles.ts'

type AddCommands = (program: Command, cli: CliContext) => void

/** The commands of each noun, loaded on demand: the start of `serve` does not pay for the others. */
const nouns: Record<string, () => Promise<AddCommands>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  migrate: async () => (await import('./database/migrate.ts')).migrateCommand,
  'setup-link': async () => (await import('./setup-link.ts')).setupLinkCommand,
  doctor: async () => (await import('./doctor/doctor.ts')).doctorCommand,
  backup: async () => (await import('./database/backup.ts')).backupCommand,
  restore: async () => (await import('./database/restore.ts')).restoreCommand,
  copy: async () => (await import('./copy/copy.ts')).copyCommand,
  session: async () => (await import('./session.ts')).sessionCommands,
  export: async () => (await import('./config/config.ts')).exportCommands,
  diff: async () => (await import('./config/config.ts')).diffCommand,
  apply: async () => (await import('./config/config.ts')).applyCommand,
  import: async () => (await import('./import/import.ts')).importCommands,
  user: async () => (await import('./user/user.ts')).userCommands,
  product: async () => (await import('./product/product.ts')).productCommands,
  plan: async () => (await import('./plan.ts')).planCommands,
  subscription: async () => (await import('./subscription/subscription.ts')).subscriptionCommands,
  appearance: async () => (await import('./appearance/appearance.ts')).appearanceCommands,
  gateway: async () => (await import('./gateway/gateway.ts')).gatewayCommands,
  idp: async () => (await import('./idp/idp.ts')).idpCommands,
  report: async () => (await import('./report.ts')).reportCommands,
  outbox: async () => (await import('./outbox.ts')).outboxCommands,
  endpoint: async () => (await import('./endpoint/endpoint.ts')).endpointCommands,
  events: async () => (await import('./events/events.ts')).eventsCommands,
  webhook: async () => (await import('./webhook/webhook.ts')).webhookCommands,
  token: async () => (await import('./token.ts')).tokenCommands,
  keys: async () => (await import('./keys.ts')).keysCommands,
  audit: async () => (await import('./audit.ts')).auditCommands,
}

/** Runs one command line. Answers the exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function run(argv: string[], streams: Partial<Streams> = {}): Promise<number> {
  const { environment = process.env, stdin = process.stdin, stdout = process.stdout, stderr = process.stderr } = streams
  const cli = createCliContext({ environment, stdin, stdout, stderr })
  const program = createProgram(cli)
  const asked = Object.hasOwn(nouns, argv[0] ?? '') ? nouns[argv[0] ?? ''] : undefined
  for (const load of asked ? [asked] : Object.values(nouns)) (await load())(program, cli)
  try {
    await program.parseAsync(argv, { from: 'user' })
    return cli.exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return 0
    // A noun without a verb prints its help: that is a fault, requested help is not. The exit code in the error also depends on what the
    // process had set.
    if (error.code === 'commander.help') return argv.includes('help') ? 0 : 2
    complain(`${sentenceOf(error)} (see: ${commandAt(program, argv)} --help)`, cli)
    return 2
  }
}

const HELP_WIDTH = 80

function createProgram({ stdout, stderr, environment }: CliContext): Command {
  return new Command('portaria')
    .description('Portaria: sign in once, and every app of the family knows you')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => stdout.columns ?? HELP_WIDTH,
      getErrHelpWidth: () => stderr.columns ?? HELP_WIDTH,
      getOutHasColors: () => showsStyles(stdout, environment),
      getErrHasColors: () => showsStyles(stderr, environment),
    })
    .configureHelp({ styleTitle: bold, styleCommandText: bold, styleSubcommandText: bold, styleOptionTerm: bold })
    .addHelpText(
      'after',
      `\n${bold('Example:')}\n  $ portaria user create --email ana@example.com --name "Ana Souza" --admin --password-stdin < password.txt`,
    )
}

function sentenceOf({ message }: CommanderError): string {
  return message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ')
}

/** The command of a command line, as far as it is recognised. */
function commandAt(program: Command, argv: readonly string[]): string {
  const noun = program.commands.find((command) => command.name() === argv[0])
  const verb = noun?.commands.find((command) => command.name() === argv[1])
  return ['portaria', noun?.name(), verb?.name()].filter((name) => name !== undefined).join(' ')
}
