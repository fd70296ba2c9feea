import { statSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { examine } from './examine.ts'
import type { Finding } from './finding.ts'

const HELP = `Usage: portaria-client doctor [options]

Looks at everything a sign-in needs, as this app's server sees it: one line a finding, with what to do.
Reads the environment, and .env.local and .env in this folder where they are.

  --url URL        in place of PORTARIA_URL
  --app-url URL    in place of PORTARIA_APP_URL
  --auth-path P    where sign-in, callback and sign-out lie (default /auth)
  --json           findings as a JSON array
  --help           this text

Keys are read from PORTARIA_API_KEY and PORTARIA_PUBLISHABLE_KEY alone: an argument can be seen by others.
Ends with 1 if something is bad, with 2 if the command itself can't be understood.
`

/** Runs the command and answers its exit code. */
export async function runCommand(args: readonly string[], print: (line: string) => void = console.log): Promise<number> {
  const options = {
    url: { type: 'string' },
    'app-url': { type: 'string' },
    'auth-path': { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const
  let given: ReturnType<typeof parse>
  try {
    given = parse()
  } catch (fault) {
    print(`${fault instanceof Error ? fault.message : 'unknown option'}\n\n${HELP}`)
    return 2
  }
  const { values, positionals } = given
  if (values.help || positionals.length === 0) {
    print(HELP)
    return values.help ? 0 : 2
  }
  if (positionals[0] !== 'doctor' || positionals.length > 1) {
    print(`There is no command "${positionals.join(' ')}".\n\n${HELP}`)
    return 2
  }
  for (const file of ['.env.local', '.env']) if (statSync(file, { throwIfNoEntry: false })?.isFile()) process.loadEnvFile(file)
  const found = await examine({ url: values.url, appUrl: values['app-url'], authPath: values['auth-path'] }, process.env)
  const findings = found.map(plain)
  print(values.json ? JSON.stringify(findings, undefined, 2) : findings.map(toLine).join('\n'))
  return findings.some(({ state }) => state === 'bad') ? 1 : 0

  function parse() {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  }
}

/** Parts of it come from the other side, and must not move this terminal's cursor or change its colours. */
function plain({ about, state, text, fix }: Finding): Finding {
  return { about, state, text: text.replace(UNSEEN, ''), ...(fix !== undefined && { fix: fix.replace(UNSEEN, '') }) }
}

/** Control and format characters, and unassigned ones. */
const UNSEEN = /\p{C}/gu

const MARKS = { good: '✔', doubtful: '!', bad: '✖' } as const satisfies Record<Finding['state'], string>

function toLine({ about, state, text, fix }: Finding): string {
  return `${MARKS[state]} ${about.padEnd(9)} ${text}${fix === undefined ? '' : `\n  ${' '.repeat(9)} → ${fix}`}`
}
