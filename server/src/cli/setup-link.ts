import type { Command } from 'commander'
import { mintSetupLink } from '../admin/index.ts'
import type { AppContext } from '../context.ts'
import { isoTime } from '../kit/index.ts'
import { addVerb, type CliContext, OPERATOR } from './command/cli-context.ts'
import { paragraphs } from './command/layout.ts'
import type { Outcome } from './command/output.ts'

/** `portaria setup-link`: the address that leads to the first administrator's account. */
export function setupLinkCommand(program: Command, cli: CliContext): void {
  const summary = 'make the one-time address that leads to the first administrator; it is shown this once'
  addVerb(program, 'setup-link', { summary, example: 'setup-link' }).action((options: { json?: boolean }) =>
    cli.onNewDatabase(options, setupLink),
  )
}

async function setupLink({ config, storage, now }: AppContext): Promise<Outcome> {
  const made = await mintSetupLink({ storage, baseUrl: config.baseUrl, now, actor: OPERATOR })
  if ('refusal' in made) {
    return {
      complaint: `there is an administrator already: sign in at ${config.baseUrl}/admin, or make another with \`portaria user create --admin\``,
    }
  }
  const { url, expiresAt } = made
  const advice = 'Open it in your browser within 30 minutes, while the service runs. It works once, and one made before it works no more.'
  return { json: { url, expires_at: isoTime(expiresAt) }, text: paragraphs(`  ${url}`, advice) }
}
