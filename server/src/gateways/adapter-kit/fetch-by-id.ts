import type { GatewayApi } from '../gateway.ts'

/** Fetches one object by its id. An answer with another id is a fault, to be tried again: it would be recorded about the wrong object. */
export async function fetchById(api: GatewayApi, path: string, id: string): Promise<unknown> {
  const answer = await api.get(path)
  expectId(typeof answer === 'object' && answer !== null && 'id' in answer ? answer.id : undefined, id)
  return answer
}

/** The same where the id stands elsewhere in the answer. Ids come as numbers or text, in upper or lower case. */
export function expectId(answered: unknown, asked: string): void {
  if (String(answered).toLowerCase() !== asked.toLowerCase())
    throw new Error('the gateway answers about something else than it was asked for')
}
