import { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import type { Environment } from '../../config.ts'

/** Texts carry their styles until they are printed, where `forStream` takes them out again unless the stream shows them. */
export function bold(text: string): string {
  return text === '' ? '' : styleText('bold', text, { validateStream: false })
}

type Colour = 'green' | 'yellow' | 'red'

/** The first words of states. A colour only repeats what its word says. */
const COLOURS: ReadonlyMap<string, Colour> = new Map([
  ...(['ok', 'yes', 'active', 'enabled', 'live', 'processed', 'signing', 'delivered', 'granted'] as const).map(
    (state) => [state, 'green'] as const,
  ),
  ...(['warn', 'pending', 'unresolved', 'awaiting', 'preparing', 'test', 'past_due', 'asked', 'expired'] as const).map(
    (state) => [state, 'yellow'] as const,
  ),
  ...(['fail', 'failed', 'failing', 'dead', 'refused', 'revoked', 'disabled', 'refunded', 'disputed', 'no'] as const).map(
    (state) => [state, 'red'] as const,
  ),
])

/** A state in the colour of its first word; any other word stays as it is. */
export function coloured(state: string): string {
  const colour = COLOURS.get(/^\w+/.exec(state)?.[0].toLowerCase() ?? '')
  return colour === undefined ? state : styleText(colour, state, { validateStream: false })
}

/** Whether the values of a column or field are states, and have a colour. */
export function isState(name = ''): boolean {
  return STATES.has(name)
}

const STATES = new Set(['state', 'status', 'access', 'result'])

/** The beginning of a complaint. */
export function complaintMark(text: string): string {
  return styleText(['bold', 'red'], text, { validateStream: false })
}

/** Whether a stream is a terminal that shows styles. NO_COLOR and TERM=dumb say no, FORCE_COLOR says yes. */
export function showsStyles(stream: { isTTY?: boolean }, environment: Environment): boolean {
  const asks = environment.FORCE_COLOR !== undefined || stream.isTTY === true
  return asks && WriteStream.prototype.getColorDepth(environment) > 1
}
