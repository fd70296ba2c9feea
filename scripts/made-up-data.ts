import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { run } from '../server/src/cli/main.ts'

export const PASSWORD = 'gatehouse'
export const OWNER = 'marta@example.com'
export const BUYER = 'ana@example.com'

interface Target {
  environment: Record<string, string>
  /** As browsers see it. */
  url: string
  /** As it listens itself. */
  service: string
  /** Takes the lines that the example app is started with. */
  appFile: string
}

/** Users with one password, an internal app, and an external one whose keys go into a file for `npm run example`. */
export async function addUsersAndProducts({ environment, url, appFile }: Target): Promise<void> {
  const portaria = commandLine(environment)
  await portaria(['user', 'create', '--email', OWNER, '--name', 'Marta Nogueira', '--admin', '--verified', '--password-stdin'], PASSWORD)
  for (const [email, name, ...more] of [
    [BUYER, 'Ana Souza'],
    ['caio@example.com', 'Caio Lima', '--beta'],
    ['iara@example.com', 'Iara Guimarães', '--producer'],
  ] as const)
    await portaria(['user', 'create', '--email', email, '--name', name, '--verified', ...more, '--password-stdin'], PASSWORD)
  const product = ['product', 'create', '--requires', 'none', '--json']
  const painel = ['--slug', 'painel', '--name', 'Painel', '--audience', 'internal', '--checkout', 'integrated']
  await portaria([...product, ...painel, '--redirect-uri', 'http://localhost:4001/auth/callback'])
  const loja = ['--slug', 'loja', '--name', 'Loja Aurora', '--audience', 'external', '--checkout', 'external']
  const made = JSON.parse(await portaria([...product, ...loja, '--redirect-uri', 'http://127.0.0.1:4004/auth/callback']))
  const lines = { PORTARIA_URL: url, PORTARIA_PUBLISHABLE_KEY: made.publishable_key, PORTARIA_API_KEY: made.api_key }
  writeFileSync(
    appFile,
    Object.entries(lines)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
}

/** One of each kind: bought, refunded, by a guest, and one that is pending for the operator since its plan is unknown. */
export async function addPurchases({ environment, service }: Target): Promise<void> {
  const portaria = commandLine(environment)
  const at = new Date().toISOString()
  const refunded = randomUUID()
  const bought = (email: string, name: string, id = randomUUID()) => ({
    event: 'subscription.activated',
    data: { subscription_id: id, product_name: name, user_email: email, amount: 9900, is_test: false },
    timestamp: at,
  })
  for (const body of [
    bought(BUYER, 'Easy Pro'),
    bought('caio@example.com', 'Easy Pro', refunded),
    { event: 'payment.refunded', data: { subscription_id: refunded, is_test: false }, timestamp: at },
    bought('guest@example.com', 'Easy Pro'),
    bought('iara@example.com', 'A plan that nobody knows'),
  ]) {
    const signed = await portaria(['webhook', 'sign', '-'], JSON.stringify(body))
    const answer = await fetch(`${service}/api/webhook/payment`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: signed,
    })
    if (!answer.ok) throw new Error(`a made-up purchase was answered ${answer.status}: ${await answer.text()}`)
  }
}

/** Runs command lines in this process. Each answers what it printed. */
function commandLine(environment: Record<string, string>): (argv: string[], stdin?: string) => Promise<string> {
  return async (argv, stdin = '') => {
    let printed = ''
    const sink = () =>
      new Writable({
        write(chunk, _encoding, done) {
          printed += chunk
          done()
        },
      })
    const code = await run(argv, { environment, stdin: Readable.from([stdin]), stdout: sink(), stderr: sink() })
    if (code !== 0) throw new Error(`portaria ${argv.join(' ')}: ${printed}`)
    return printed
  }
}
