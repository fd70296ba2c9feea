import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import type { LogLevel } from './http/index.ts'
import { parseMasterKey } from './kit/index.ts'
import { parseSender, parseSmtpUrl } from './mail/index.ts'
import { PROCESSES_FORM, parseProcesses } from './processes/index.ts'
import { EXPERIMENTAL_GATEWAYS } from './products/index.ts'
import { type DatabaseAddress, parseDatabaseUrl } from './storage/index.ts'

/** `cimd`: clients of OpenID Connect that describe themselves (decision 161). */
const EXPERIMENTS = [...EXPERIMENTAL_GATEWAYS, 'cimd'] as const
type Experiment = (typeof EXPERIMENTS)[number]

/** All settings from the environment, checked and frozen. */
export interface Config {
  port: number
  host: string
  /** The service's own address, an origin without a slash at the end. It is also `iss`. */
  baseUrl: string
  https: boolean
  cookieDomain: string | undefined
  database: DatabaseAddress
  masterKey: Buffer | undefined
  previousMasterKey: Buffer | undefined
  webhookSecrets: readonly string[]
  accessTokenSeconds: number
  smtpUrl: string | undefined
  mailFrom: string
  /** The folder for mails as files when there is no SMTP server; `undefined` in production, where every mail is really sent. */
  mailFolder: string | undefined
  /** `PORTARIA_URL` is a loopback host. */
  isDevelopment: boolean
  trustProxy: number | string[] | undefined
  allowPrivate: readonly string[]
  metricsPort: number | undefined
  logLevel: LogLevel
  /** The experiments that are on: features that no live installation has confirmed yet. */
  experiments: readonly Experiment[]
  /** So many processes serve the port of this host, this one among them. */
  processes: number
  production: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The fault of one variable: its name, and what it expects. */
export interface ConfigFault {
  variable: string
  expects: string
}

const NAMES = [
  'PORTARIA_URL',
  'PORTARIA_COOKIE_DOMAIN',
  'PORTARIA_MASTER_KEY',
  'PORTARIA_MASTER_KEY_PREVIOUS',
  'PORTARIA_WEBHOOK_SECRET',
  'PORTARIA_ACCESS_TOKEN_TTL',
  'PORTARIA_SMTP_URL',
  'PORTARIA_MAIL_FROM',
  'PORTARIA_TRUST_PROXY',
  'PORTARIA_ALLOW_PRIVATE',
  'PORTARIA_METRICS_PORT',
  'PORTARIA_LOG_LEVEL',
  'PORTARIA_EXPERIMENTS',
  'PORTARIA_PROCESSES',
  'PORTARIA_DATABASE_CONNECTIONS',
] as const
/** These may also come as `…_FILE`, the path of a file with the value. */
const SECRETS = [
  'PORTARIA_MASTER_KEY',
  'PORTARIA_MASTER_KEY_PREVIOUS',
  'PORTARIA_WEBHOOK_SECRET',
  'PORTARIA_SMTP_URL',
  'DATABASE_URL',
] as const
const KNOWN: ReadonlySet<string> = new Set([...NAMES, ...SECRETS.map((name) => `${name}_FILE`)])
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Reads the environment. All faults come at once, in the order of the variables. */
export async function readConfig(environment: Environment): Promise<{ config: Config } | { faults: ConfigFault[] }> {
  const faults: ConfigFault[] = []
  const fault = (variable: string, expects: string) => void faults.push({ variable, expects })
  const values = withFiles(environment, fault)
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, expects: string): T => {
    const text = values[name]
    if (text === undefined || text === '') return fallback
    const parsed = parse(text)
    if (parsed === undefined) fault(name, expects)
    return parsed ?? fallback
  }
  for (const name of Object.keys(environment)) if (name.startsWith('PORTARIA_') && !KNOWN.has(name)) fault(name, unknownName(name))

  const port = read('PORT', 3000, integer(0, 65_535), 'a port, 0 to 65535')
  const baseUrl = read('PORTARIA_URL', `http://localhost:${port}`, origin, 'an address without path, as in https://sso.example.com')
  const config: Config = {
    port,
    host: values.HOST || '127.0.0.1',
    baseUrl,
    https: baseUrl.startsWith('https:'),
    cookieDomain: read('PORTARIA_COOKIE_DOMAIN', undefined, (text) => text.toLowerCase().replace(/^\./, ''), 'a domain'),
    database: withConnections(
      read('DATABASE_URL', DEFAULT_DATABASE, parseDatabaseUrl, 'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME'),
      read('PORTARIA_DATABASE_CONNECTIONS', undefined, integer(2, 200), 'a number of connections, 2 to 200'),
    ),
    masterKey: read('PORTARIA_MASTER_KEY', undefined, parseMasterKey, MASTER_KEY_FORM),
    previousMasterKey: read('PORTARIA_MASTER_KEY_PREVIOUS', undefined, parseMasterKey, MASTER_KEY_FORM),
    webhookSecrets: read(
      'PORTARIA_WEBHOOK_SECRET',
      [],
      webhookSecrets,
      'one secret of 16 characters or more, or two with a comma between them',
    ),
    accessTokenSeconds: read('PORTARIA_ACCESS_TOKEN_TTL', 3600, integer(60, 86_400), 'seconds, 60 to 86400'),
    smtpUrl: read('PORTARIA_SMTP_URL', undefined, unless(parseSmtpUrl), 'smtp://USER:PASSWORD@HOST:PORT or smtps://…'),
    mailFrom: read(
      'PORTARIA_MAIL_FROM',
      `Portaria <no-reply@${mailHost(new URL(baseUrl).hostname)}>`,
      unless(parseSender),
      'an address, or NAME <ADDRESS>',
    ),
    mailFolder: environment.NODE_ENV === 'production' ? undefined : './data/mail',
    isDevelopment: isLoopbackHost(new URL(baseUrl).hostname),
    trustProxy: read(
      'PORTARIA_TRUST_PROXY',
      undefined,
      hopsOrRanges,
      'a number of proxies, or addresses and CIDR ranges with commas between them',
    ),
    allowPrivate: read('PORTARIA_ALLOW_PRIVATE', [], ranges, 'addresses and CIDR ranges with commas between them'),
    metricsPort: read('PORTARIA_METRICS_PORT', undefined, integer(0, 65_535), 'a port, 0 to 65535'),
    logLevel: read('PORTARIA_LOG_LEVEL', 'info', (text) => LOG_LEVELS.find((level) => level === text), `one of ${LOG_LEVELS.join(', ')}`),
    experiments: read('PORTARIA_EXPERIMENTS', [], experiments, `names with commas between them; known: ${EXPERIMENTS.join(', ')}`),
    processes: read('PORTARIA_PROCESSES', 1, parseProcesses, PROCESSES_FORM),
    production: environment.NODE_ENV === 'production',
  }
  const domainFault = config.cookieDomain === undefined ? undefined : await refuseCookieDomain(config.cookieDomain, baseUrl)
  if (domainFault) fault('PORTARIA_COOKIE_DOMAIN', domainFault)
  if (
    config.database.dialect === 'postgres' &&
    !config.masterKey &&
    !faults.some(({ variable }) => variable.startsWith('PORTARIA_MASTER_KEY'))
  ) {
    fault('PORTARIA_MASTER_KEY', `${MASTER_KEY_FORM}; it is required with PostgreSQL`)
  }
  return faults.length > 0 ? { faults } : { config: Object.freeze(config) }
}

const DEFAULT_DATABASE: DatabaseAddress = { dialect: 'sqlite', file: './data/portaria.db' }
/** A SQLite file has one connection, whatever is set. */
function withConnections(address: DatabaseAddress, connections: number | undefined): DatabaseAddress {
  return address.dialect === 'postgres' && connections !== undefined ? { ...address, connections } : address
}

const MASTER_KEY_FORM = '32 random bytes in base64, as `openssl rand -base64 32` prints'

/** The environment, with the content of each `…_FILE` as the value of its variable. */
function withFiles(environment: Environment, fault: (variable: string, expects: string) => void): Record<string, string | undefined> {
  const values: Record<string, string | undefined> = { ...environment }
  for (const name of SECRETS) {
    const path = environment[`${name}_FILE`]
    if (!path) continue
    if (environment[name]) fault(name, `either ${name} or ${name}_FILE, not both`)
    try {
      values[name] = readFileSync(path, 'utf8').trim()
    } catch {
      fault(`${name}_FILE`, 'the path of a file that can be read')
    }
  }
  return values
}

function unknownName(name: string): string {
  const near =
    [...KNOWN].find((known) => known.replaceAll('_', '') === name.replaceAll('_', '')) ??
    [...KNOWN].find((known) => known.startsWith(name) || name.startsWith(known))
  return `to be absent: it is no setting of Portaria${near ? ` (perhaps ${near})` : ''}`
}

function integer(least: number, most: number) {
  return (text: string): number | undefined => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  }
}

function origin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  return url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' ? url.origin : undefined
}

function webhookSecrets(text: string): string[] | undefined {
  const secrets = text.split(',').map((secret) => secret.trim())
  return secrets.length <= 2 && secrets.every((secret) => secret.length >= 16) ? secrets : undefined
}

/** `undefined` for an unknown name. */
function experiments(text: string): Experiment[] | undefined {
  const names = text.split(',').map((name) => name.trim())
  const known = EXPERIMENTS.filter((name) => names.includes(name))
  return names.every((name) => known.some((one) => one === name)) ? known : undefined
}

/** The experiments that are on, for callers that need no other setting; none while the variable is invalid. */
export function readExperiments({ PORTARIA_EXPERIMENTS: text = '' }: Environment): readonly Experiment[] {
  return experiments(text) ?? []
}

/** A value that `parse` accepts stays as it is. */
function unless<T>(parse: (text: string) => T) {
  return (text: string): string | undefined => {
    try {
      return parse(text) === undefined ? undefined : text
    } catch {
      return undefined // its own message names no variable; `expects` does
    }
  }
}

/** A name to send from. An address literal is not a name. */
function mailHost(host: string): string {
  return ipaddr.isValid(host.replace(/^\[|\]$/g, '')) ? 'localhost' : host
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host)
}

function hopsOrRanges(text: string): number | string[] | undefined {
  return /^\d{1,2}$/.test(text) ? Number(text) : ranges(text)
}

function ranges(text: string): string[] | undefined {
  const items = text.split(',').map((item) => item.trim())
  return items.every((item) => ipaddr.isValid(item) || ipaddr.isValidCIDR(item)) ? items : undefined
}

/** A cookie for a public suffix would reach every site below it; browsers refuse it too (RFC 6265 §5.3). */
async function refuseCookieDomain(domain: string, baseUrl: string): Promise<string | undefined> {
  const { hostname } = new URL(baseUrl)
  if (hostname !== domain && !hostname.endsWith(`.${domain}`)) return `a domain that contains the host of PORTARIA_URL (${hostname})`
  const { getPublicSuffix } = await import('tldts') // large, so loaded only where a domain is configured
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain ? 'a domain of your own, not a public suffix' : undefined
}
