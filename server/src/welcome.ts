import path from 'node:path'
import process from 'node:process'
import { mintSetupLink } from './admin/serve/index.ts'
import { SYSTEM } from './audit/index.ts'
import type { AppContext } from './context.ts'
import { reportDamage } from './housekeeping/index.ts'
import type { Logger, LogStream } from './http/index.ts'
import { masterKeyFile } from './master-key-file.ts'
import type { Siblings } from './processes/index.ts'
import { userStore } from './users/index.ts'

/** For the last lines of the log. */
const LOG_MS = 2_000
const NEXT_STEP = 'Then create a product in the console: it shows what your app needs, with code to copy.'

interface Welcome {
  logger: Logger
  /** Standard output. */
  log: LogStream
  /** Standard error. */
  notices: LogStream
  /** Whether the master key was made by this start. */
  isFirst: boolean
  /** Lets the other processes of the port know of damage. */
  share: Siblings['shareDamage'] | undefined
}

/** For the operator at the terminal, on standard error: logs on standard output stay one JSON object a line. */
export async function welcome(context: AppContext, { logger, log, notices, isFirst, share }: Welcome): Promise<void> {
  const say = (line: string) => notices.write(`${line}\n`)
  void reportDamage(context, { logger, say, share })
  say(`Portaria is ready at ${context.config.baseUrl} (Ctrl+C stops it)`)
  const keyFile = isFirst ? masterKeyFile(context.config) : undefined
  if (keyFile !== undefined) {
    const folder = path.dirname(keyFile)
    say(
      `\n  First start: a database and its keys were made in ${folder}. Keep a copy of ${keyFile} elsewhere: without it the database does not open.`,
    )
  }
  if (context.config.smtpUrl === undefined && context.config.mailFolder !== undefined)
    say(
      `\n  Mails are not sent: each is written into ${path.resolve(context.config.mailFolder)}, as PORTARIA_SMTP_URL is not set. Any editor opens them.`,
    )
  const [anybody] = await userStore(context.storage.db).list({ limit: 1 })
  if (!anybody) await inviteFirst(context, { log, notices })
}

/** The user who starts an empty service at a terminal is its operator. The address is shown only there, because others read the logs. */
async function inviteFirst({ config, storage, now }: AppContext, { log, notices }: Pick<Welcome, 'log' | 'notices'>): Promise<void> {
  if (!process.stdout.isTTY) return notices.write(`\n  Make the first administrator:  npx portaria setup-link\n  ${NEXT_STEP}\n\n`)
  const made = await mintSetupLink({ storage, baseUrl: config.baseUrl, now, actor: SYSTEM })
  if ('refusal' in made) return
  await notices.flush(LOG_MS) // at a terminal it goes below the earlier lines
  log.write(`
  Make the first administrator, within 30 minutes, at this address. It works once:

  ${made.url}

  ${NEXT_STEP}
  Too late? npx portaria setup-link makes another. To see two apps share one sign-in: npm run demo

`)
}
