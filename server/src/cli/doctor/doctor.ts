import type { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { paragraphs, visible } from '../command/layout.ts'
import type { Outcome, Streams } from '../command/output.ts'
import { coloured } from '../command/styles.ts'
import { createAsking } from './asking.ts'
import type { Check } from './doctor-check.ts'
import { checkDatabase } from './doctor-database.ts'
import { checkMailServer } from './doctor-others.ts'
import { checkNode, checkPublicAddress, checkSettings } from './doctor-surroundings.ts'

/** `portaria doctor`: checks the service and its surroundings, and changes nothing. */
export function doctorCommand(program: Command, cli: CliContext): void {
  addVerb(program, 'doctor', {
    summary: 'check what the service stands on, and say what to do; changes nothing; exit code 1 if something has to be fixed',
    example: 'doctor',
  }).action((options: { json?: boolean }) => cli.print(options, examine(cli)))
}

async function examine({ environment, stderr }: Pick<Streams, 'environment' | 'stderr'>): Promise<Outcome> {
  const read = await readConfig(environment)
  if ('faults' in read)
    return report([checkNode(), ...read.faults.map(({ variable, expects }) => fail('configuration', `${variable}: expects ${expects}`))])
  const { config } = read
  const ask = createAsking({ stderr })
  return report([
    checkNode(),
    ok('configuration', `complete; the service is ${config.baseUrl}`),
    ...checkSettings(config),
    ...(await checkDatabase(config, { stderr, ask })),
    ...(await checkMailServer(config, ask)),
    ...(await checkPublicAddress(config, ask)),
  ])
}

function report(checks: Check[]): Outcome {
  const failed = checks.some(({ status }) => status === 'fail')
  const labels = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const satisfies Record<Check['status'], string>
  const width = Math.max(...checks.map(({ name }) => name.length))
  const lines = checks.map(({ name, status, message }) => `${coloured(labels[status])}  ${name.padEnd(width)}  ${visible(message)}`)
  const warned = checks.some(({ status }) => status === 'warn')
  const verdict = failed ? 'Fix what is marked FAIL.' : warned ? 'It works; look at what is marked warn.' : 'All is well.'
  return { json: { ok: !failed, checks }, text: paragraphs(lines.join('\n'), verdict), failed }
}

function ok(name: string, message: string): Check {
  return { name, status: 'ok', message }
}

function fail(name: string, message: string): Check {
  return { name, status: 'fail', message }
}
