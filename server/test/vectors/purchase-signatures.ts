import { readFileSync } from 'node:fs'

/** Signed purchase notifications, made by another program than ours, each with what the answer to it must be. */
interface SignatureVector {
  name: string
  /** As it goes over the wire. */
  rawBody: string
  /** The text that is signed; `undefined` where there is none. */
  signedText: string
  expect: 'valid' | 'Assinatura ausente' | 'Assinatura invalida'
}

const read = JSON.parse(readFileSync(new URL('purchase-signatures.json', import.meta.url), 'utf8'))

export const VECTOR_SECRET: string = read.secret

export const purchaseVectors: readonly SignatureVector[] = read.vectors.map(
  (vector: { name: string; raw_body: string; signed_text: string; expect: SignatureVector['expect'] }) => ({
    name: vector.name,
    rawBody: vector.raw_body,
    signedText: vector.signed_text,
    expect: vector.expect,
  }),
)
