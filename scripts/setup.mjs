// Installs the packages when they are missing or older than the lock file. Plain JavaScript: the first run happens on whatever Node is
// there.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const modifiedAt = (file) => statSync(new URL(`../${file}`, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0

// npm writes this list last, so an interrupted installation does not count as one.
if (modifiedAt('node_modules/.package-lock.json') < modifiedAt('package-lock.json')) {
  console.log('Installing packages (once, about a minute) …')
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (error) console.error(`npm could not be started: ${error.message}`)
  process.exitCode = status ?? 1
}
