import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../server/test/support/free-port.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const STARTS_MS = 120_000

/** A stage of the Dockerfile, as a folder that stands for `/`. */
interface Stage {
  folder: string
  workdir: string
  environment: Record<string, string>
  /** The words of the last ENTRYPOINT, CMD and HEALTHCHECK. */
  said: Map<string, string[]>
}

describe('The container image, as the Dockerfile makes it of a clean clone', () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'portaria-image-'))
  after(() => rmSync(parent, { recursive: true, force: true, maxRetries: 3 }))
  let image: Stage
  let service: ChildProcess | undefined
  after(() => service?.kill('SIGKILL'))
  let url: string
  before(async () => {
    image = build(clone(path.join(parent, 'context')), parent)
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    // Nothing can be fetched or started from here on: no proxy answers, and there is no program but Node.
    const away = {
      PATH: '',
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
      NODE_USE_ENV_PROXY: '1',
    }
    const settings = {
      PORT: String(port),
      PORTARIA_URL: 'https://sso.example.com',
      PORTARIA_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    }
    image.environment = { ...image.environment, ...away, ...settings }
    const [, ...entrypoint] = image.said.get('ENTRYPOINT') ?? assert.fail('no ENTRYPOINT')
    const args = [...entrypoint, ...(image.said.get('CMD') ?? [])]
    const started = spawn(process.execPath, args, { cwd: path.join(image.folder, image.workdir), env: image.environment })
    service = started
    let said = ''
    for (const stream of [started.stdout, started.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
    for (const until = Date.now() + STARTS_MS; !(await isReady(url)); await wait(100))
      assert.ok(started.exitCode === null && Date.now() < until, `it does not start:\n${said}`)
  })

  it('starts without any other program or network, and says that it is well', async () => {
    const [, ...command] = image.said.get('HEALTHCHECK') ?? assert.fail('no HEALTHCHECK')
    const asked = spawn(process.execPath, command, { env: image.environment, stdio: 'ignore' })
    assert.deepEqual((await once(asked, 'close'))[0], 0)
  })

  it('brings the console, the client and the description of the API', async () => {
    const page = await (await fetch(`${url}/admin`)).text()
    const [asset = assert.fail(page)] = /\/admin\/assets\/[^"]+\.js/.exec(page) ?? []
    for (const at of [asset, '/client/portaria-client.tgz', '/client/portaria-client.json', '/openapi.json', '/docs', '/login'])
      assert.equal((await fetch(url + at)).status, 200, at)
  })

  it('holds no test, and no package of the developers’', () => {
    const app = path.join(image.folder, image.workdir)
    for (const none of ['server/test', 'client/src', 'console/src', 'node_modules/typescript', 'node_modules/vite', '.git'])
      assert.ok(!existsSync(path.join(app, none)), none)
  })
})

/** Copies the files of a clean clone that .dockerignore does not name: the builder gets no others. */
function clone(to: string): string {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\0')
  const rules = readFileSync(path.join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  for (const file of files.filter((file) => file !== '' && existsSync(path.join(root, file)) && !isIgnored(file, rules)))
    cpSync(path.join(root, file), path.join(to, file))
  return to
}

/** The last rule that fits a file, or a folder that it is in, counts. */
function isIgnored(file: string, rules: readonly string[]): boolean {
  const parts = file.split('/')
  const names = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
  const last = rules.findLast((rule) => names.some((name) => path.matchesGlob(name, rule.replace(/^!/, ''))))
  return last !== undefined && !last.startsWith('!')
}

/** Goes through the steps of the Dockerfile. Only root folders lie elsewhere, and nobody changes owners. */
function build(context: string, parent: string): Stage {
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  const steps = readFileSync(path.join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', '').split('\n')
  for (const line of steps.filter((step) => step !== '' && !step.startsWith('#'))) {
    const [step = '', ...args] = line.trim().split(/\s+/)
    if (step === 'FROM') {
      const folder = path.join(parent, args.at(2) ?? 'last')
      mkdirSync(folder)
      stage = {
        folder,
        workdir: '/',
        environment: {
          PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
          HOME: process.env.HOME ?? '',
          npm_config_prefer_offline: 'true',
        },
        said: new Map(),
      }
      stages.set(args.at(2) ?? 'last', stage)
      continue
    }
    assert.ok(stage)
    const { folder, environment, said } = stage
    const here = path.join(folder, stage.workdir)
    const inside = (text: string) => text.replaceAll(/(?<=^|[\s:])\/(?=data|tmp)/g, `${folder}/`)
    if (step === 'WORKDIR') {
      stage.workdir = args[0] ?? '/'
      mkdirSync(path.join(folder, stage.workdir))
    } else if (step === 'ENV')
      for (const argument of args) environment[argument.slice(0, argument.indexOf('='))] = inside(argument.slice(argument.indexOf('=') + 1))
    else if (step === 'COPY') copy(args, here, (name) => stages.get(name)?.folder ?? assert.fail(name), context)
    else if (step === 'RUN') execFileSync('sh', ['-c', `chown() { :; }; ${inside(args.join(' '))}`], { cwd: here, env: environment })
    else if (/^(ENTRYPOINT|CMD|HEALTHCHECK)$/.test(step)) said.set(step, argsOf(line))
    else assert.match(step, /^(USER|VOLUME|EXPOSE)$/)
  }
  return stages.get('last') ?? assert.fail()
}

function copy(args: string[], here: string, folderOf: (stage: string) => string, context: string): void {
  const from = args[0]?.startsWith('--from=') ? folderOf(args[0].slice('--from='.length)) : context
  const paths = args.filter((argument) => !argument.startsWith('--'))
  const to = paths.pop() ?? ''
  for (const one of paths)
    cpSync(path.join(from, one), path.join(here, to, to.endsWith('/') ? path.basename(one) : ''), {
      recursive: true,
      verbatimSymlinks: true,
    })
}

/** Of `CMD ["a", "b"]`, the words; of a HEALTHCHECK those of its command, after its own. */
function argsOf(line: string): string[] {
  return JSON.parse(line.slice(line.indexOf('[')))
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
