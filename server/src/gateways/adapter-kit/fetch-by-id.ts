import type { GatewayApi } from '../gateway.ts'

/**
 * Asks for one thing by its id. An answer about another is a fault, to be tried again: what it says would be told of what it is not about.
 */
export async function fetchById(api: GatewayApi, path: string, id: string): Promise<unknown> {
  const answer = await api.get(path)
  expectId(typeof answer === 'object' && answer !== null && 'id' in answer ? answer.id : undefined, id)
  return answer
}

/** The same for an answer that says otherwise what it is about. Ids are numbers here and text there, and in either case. */
export function expectId(answered: unknown, asked: string): void {
  if (String(answered).toLowerCase() !== asked.toLowerCase())
    throw new Error('the gateway answers about something else than it was asked for')
}
