import pino, { type Logger } from 'pino'
import { createLogStream } from './log-stream.ts'

export type { Logger }

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/**
 * JSON lines. With `pid` each names its process. Callers pass ids and words, never a token, an address or a tax id; errors are logged by
 * their stack alone.
 */
export function createLogger(level: LogLevel, destination: pino.DestinationStream = createLogStream(1), pid?: number): Logger {
  return pino(
    {
      level,
      base: pid === undefined ? null : { pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeFault },
    },
    destination,
  )
}

/** A fault's kind and stack. Database drivers put rows and parameters into other properties; those stay out. */
export function describeFault(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'not an Error' }
  const code = 'code' in error ? error.code : undefined
  return { name: error.name, ...(code !== undefined && { code }), stack: withoutAddresses(error.stack ?? error.message) }
}

function withoutAddresses(text: string): string {
  return text.replace(/[^\s"'<>(]+@([\w.-]+)/g, '…@$1')
}
