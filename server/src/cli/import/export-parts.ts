import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { type ExportParts, parseFirebaseParameters, readAuth0Factors, readAuth0Hashes } from '../../admin/index.ts'
import { findFile } from '../command/find-file.ts'
import { visible } from '../command/layout.ts'

export interface PartOptions {
  firebaseParameters?: string
  auth0Passwords?: string
  auth0Factors?: string
}

/** The files beside the export. */
export async function readParts({
  firebaseParameters,
  auth0Passwords,
  auth0Factors,
}: PartOptions): Promise<ExportParts | { misuse: string }> {
  for (const file of [firebaseParameters, auth0Passwords, auth0Factors]) {
    const found = file === undefined ? undefined : await findFile(file)
    if (found && 'why' in found) return { misuse: found.why }
  }
  const firebase = firebaseParameters === undefined ? undefined : parseFirebaseParameters(await readFile(firebaseParameters, 'utf8'))
  if (firebaseParameters !== undefined && !firebase)
    return { misuse: visible(`${firebaseParameters}: no base64_signer_key, rounds and mem_cost`) }
  const auth0Hashes = auth0Passwords === undefined ? undefined : await readAuth0Hashes(linesOf(auth0Passwords))
  if (auth0Passwords !== undefined && !auth0Hashes)
    return { misuse: visible(`${auth0Passwords}: not every line is a user of Auth0 with an _id, or none has a passwordHash`) }
  const factors = auth0Factors === undefined ? undefined : await readAuth0Factors(linesOf(auth0Factors))
  if (auth0Factors !== undefined && !factors)
    return { misuse: visible(`${auth0Factors}: not every line is a second factor of Auth0 with a user_id, or none has an otp_secret`) }
  return { firebase, auth0Hashes, auth0Factors: factors }
}

function linesOf(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
}
