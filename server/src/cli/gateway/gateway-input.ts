import { InvalidArgumentError } from 'commander'
import { GATEWAYS, type Gateway } from '../../products/index.ts'
import type { CliContext } from '../command/cli-context.ts'
import { oneOf, parsedBy } from '../command/input.ts'

/** An option's parser for a gateway that this installation supports. */
export function oneGateway({ gateways }: CliContext): (text: string) => Gateway {
  return (text) => {
    refuseOff(text, gateways)
    return oneOf(gateways)(text)
  }
}

/** Makes an option's parser of a parser whose value names a gateway. */
export function withGateway<T extends { gateway: Gateway }>(
  parse: (text: string) => T | undefined,
  expects: string,
  { gateways }: CliContext,
): (text: string) => T {
  return (text) => {
    const value = parsedBy(parse, expects)(text)
    refuseOff(value.gateway, gateways)
    return value
  }
}

function refuseOff(name: string, gateways: readonly Gateway[]): void {
  const known = GATEWAYS.find((gateway) => gateway === name)
  if (known && !gateways.includes(known)) throw new InvalidArgumentError(offSentence(known))
}

/** The advice about a gateway that this installation does not support. */
export function offSentence(gateway: Gateway): string {
  return `${gateway} is an experiment that is off: PORTARIA_EXPERIMENTS=${gateway} turns it on, for the service and the command line.`
}
