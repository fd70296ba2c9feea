// `npm run dev`: service and console on a scratch database with a few made-up users and purchases. A saved file of the service starts it
// again, one of the console appears in the browser. The database is made anew at each start; `npm run dev -- --keep` goes on with the last
// one.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createServer, type Plugin } from 'vite'
import { freePort } from '../server/test/support/free-port.ts'
import { addPurchases, addUsersAndProducts, BUYER, OWNER, PASSWORD } from './made-up-data.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = process.env.DEV_FOLDER ?? path.join(root, '.tmp', 'dev')
const keyFile = path.join(folder, 'settings.json')
const appFile = path.join(folder, 'app.env')

const DEBUG_PORT = 9229
/** One save of an editor is several events. */
const QUIET_MS = 80
const STOP_MS = 3_000
const READY_TRIES = 200
const READY_PAUSE_MS = 50

/** The pages below /admin that the service makes itself; the console has the others. */
const SERVICE_PATHS = '^(?!/admin(?:[/?]|$))|^/admin/(?:sign-in|authenticate|authenticated)(?:[/?]|$)'

const port = Number(process.env.PORT ?? 3000)
if ((await freePort(port)) !== port) {
  console.error(`Port ${port} is taken by another program. Stop it, or choose another: PORT=${port + 1} npm run dev`)
  process.exit(1)
}

const isNew = !process.argv.includes('--keep') || !existsSync(keyFile)
if (isNew) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const url = `http://localhost:${port}`
const servicePort = await freePort()
const environment = { ...readKeys(), PORT: String(servicePort), HOST: '127.0.0.1', PORTARIA_URL: url, PORTARIA_TRUST_PROXY: '1' }

const target = { environment, url, service: `http://127.0.0.1:${servicePort}`, appFile }

if (isNew) await addUsersAndProducts(target)
const service = superviseService()
await service.ready()
if (isNew) await addPurchases(target)
const vite = await createServer({
  root: path.join(root, 'console'),
  configFile: path.join(root, 'console', 'vite.config.ts'),
  logLevel: 'warn',
  plugins: [waitForService()],
  server: {
    port,
    strictPort: true,
    host: 'localhost',
    proxy: { [SERVICE_PATHS]: { target: `http://127.0.0.1:${servicePort}`, xfwd: true } },
  },
})
await vite.listen()
process.removeAllListeners('SIGTERM') // Vite ends the process at once: the service would lose what is in flight
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop())
console.log(invitation())

/** The browser speaks to Vite, which has the console and passes everything else on. A request waits while the service starts again. */
function waitForService(): Plugin {
  return {
    name: 'wait-for-service',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (request.url === '/admin') request.url = '/admin/'
        void service.ready().then(() => next())
      })
    },
  }
}

/** Keeps the service running: a save ends it and starts it again, and after a crash the next save does. */
function superviseService(): { ready(): Promise<void>; stop(): Promise<void> } {
  let child = start()
  process.once('exit', () => child.kill('SIGKILL'))
  let ready = isReady(child)
  let restarting = false
  let isSavedAgain = false
  const restart = async () => {
    restarting = true
    do {
      isSavedAgain = false
      await wait(QUIET_MS)
      await end(child)
      child = start()
    } while (isSavedAgain)
    restarting = false
    await isReady(child)
  }
  const watcher = watch(path.join(root, 'server', 'src'), { recursive: true }, (_event, file) => {
    if (file === null || file.endsWith('.test.ts')) return
    isSavedAgain = true
    if (restarting) return
    console.log(`${file} was saved: the service starts again`)
    ready = restart()
  })
  return {
    ready: () => ready,
    async stop() {
      watcher.close()
      await end(child)
    },
  }
}

function start(): ChildProcess {
  const command = [
    `--inspect=127.0.0.1:${DEBUG_PORT}`,
    '--disable-warning=ExperimentalWarning',
    path.join(root, 'server', 'bin', 'portaria.mjs'),
    'serve',
  ]
  // With the threshold set, the launcher does not begin the process a second time, which would take the debugger's port twice.
  const child = spawn(process.execPath, command, {
    cwd: folder, // mails are written below it
    env: { ...process.env, ...environment, MALLOC_MMAP_THRESHOLD_: String(1024 ** 2) },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const shown = text.replaceAll(/^(?:Debugger |For help, see|Starting inspector|Portaria is ready at| +Mails are not sent:).*\n/gm, '')
    process.stderr.write(shown)
  })
  return child
}

/** Resolves when it answers, or when it has ended: then its own words say why. */
async function isReady(child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < READY_TRIES && child.exitCode === null; tries++) {
    const answer = await fetch(`http://127.0.0.1:${servicePort}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await wait(READY_PAUSE_MS)
  }
  console.error('The service does not run. It is started again at the next save.')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await gone
  clearTimeout(late)
}

async function stop(): Promise<void> {
  await Promise.all([service.stop(), vite.close()])
  process.exit(0)
}

/** The master key that sealed the database must open it again, so both are kept side by side. */
function readKeys(): Record<string, string> {
  if (isNew) {
    const made = {
      PORTARIA_MASTER_KEY: randomBytes(32).toString('base64'),
      PORTARIA_WEBHOOK_SECRET: randomBytes(16).toString('hex'),
      DATABASE_URL: `sqlite:${path.join(folder, 'portaria.db')}`,
    }
    writeFileSync(keyFile, JSON.stringify(made))
  }
  return JSON.parse(readFileSync(keyFile, 'utf8'))
}

function invitation(): string {
  return `
  Console   ${url}/admin      ${OWNER}
  Account   ${url}/account    ${BUYER}, caio@example.com, iara@example.com
  Password  ${PASSWORD}

  An app to sign in to     npm run example -- external ${path.relative(root, appFile)}
  Database                 ${path.relative(root, folder)}/
  Mails                    ${path.relative(root, folder)}/data/mail/
  Debugger                 127.0.0.1:${DEBUG_PORT} (in VS Code: “Attach to npm run dev”)

  Save a file of server/src or console/src and look again. Ctrl+C stops it.
`
}
