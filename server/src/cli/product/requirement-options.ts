import type { Command } from 'commander'
import { FOREIGNERS, type Foreigners, type ProfileRequirements, REQUIREMENTS, type Requirement } from '../../users/index.ts'
import { oneOf, parsedBy } from '../command/input.ts'

export const parseRequires = parsedBy(requiresOf, 'any of tax-id, phone, company, with commas between them, or none')

function requiresOf(text: string): Requirement[] | undefined {
  if (text === 'none') return []
  const names = text.split(/[\s,]+/).map((name) => name.replaceAll('-', '_'))
  return names.every((name) => REQUIREMENTS.some((one) => one === name)) ? REQUIREMENTS.filter((one) => names.includes(one)) : undefined
}

/** The options for a product's requirements of its users, on `create` and `set` alike. */
export function addRequirements(command: Command, usual = ''): Command {
  return command
    .option('--requires <data>', `the data that it requires of its users: tax-id, phone, company; or none${usual}`, parseRequires)
    .option('--foreigners <way>', 'for users without a CPF or CNPJ: refused, document (a foreign one instead) or exempt', oneOf(FOREIGNERS))
}

export interface RequirementOptions {
  requires?: Requirement[]
  foreigners?: Foreigners
}

export function requirementsOf({ requires, foreigners }: RequirementOptions): Partial<ProfileRequirements> {
  return { ...(requires && { requires }), ...(foreigners && { foreigners }) }
}
