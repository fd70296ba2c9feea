import { once } from 'node:events'
import { get } from 'node:http'

/** Asks on a connection of its own, which ends with the answer. Answers the status. */
export async function askOnNewConnection(url: string, headers: Record<string, string> = {}): Promise<number> {
  const [answer] = await once(get(url, { agent: false, headers }), 'response')
  answer.resume()
  await once(answer, 'end')
  return answer.statusCode
}
