import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { after } from 'node:test'

/** A program at a terminal: what it shows there, standard output and standard error alike, and what is typed. */
export interface Terminal {
  child: ChildProcess
  screen(): string
  type(text: string): void
}

const opened: ChildProcess[] = []
after(() => opened.forEach((child) => void child.kill()))

/**
 * Runs a program of Node at a terminal of its own, which `script` (util-linux, or that of macOS) makes. It is killed when the file's tests
 * are over. `before` is a command that runs it, as `setsid`.
 */
export function openTerminal(
  args: readonly string[],
  { environment, cwd, before = '' }: { environment: Record<string, string>; cwd?: string; before?: string },
): Terminal {
  const line = [process.execPath, ...args]
  const quoted = line.map((text) => `'${text.replaceAll("'", `'\\''`)}'`).join(' ')
  // exec: the program is the one that a signal to its terminal reaches.
  const argv = process.platform === 'darwin' ? ['-q', '/dev/null', ...line] : ['-qefc', `exec ${before} ${quoted}`, '/dev/null']
  const env = { PATH: process.env.PATH ?? '', SHELL: '/bin/sh', ...environment }
  const child = spawn('script', argv, { env, stdio: ['pipe', 'pipe', 'inherit'], ...(cwd !== undefined && { cwd }) })
  opened.push(child)
  let screen = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text))
  return { child, screen: () => screen.replaceAll('\r\n', '\n'), type: (text) => void child.stdin.write(text) }
}
