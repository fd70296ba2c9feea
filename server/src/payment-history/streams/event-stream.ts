/** The events of one source about one thing bought by one buyer. A refund closes its subscription, a later payment opens the next one. */
export interface EventStream {
  id: string
  ref: string
  productId: string | undefined
  /** Made a moment ago: nothing else is known of it. */
  isNew: boolean
  /** Its newest subscription is linked to an account that no longer has the address which it was bought with. */
  isLeft: boolean
  /** The buyer's data was deleted: no address is kept on this stream any more. */
  isBuyerForgotten: boolean
  /** The stream that it became a part of. */
  mergedInto: string | undefined
  /** The gateway's ids by which its payments named what was bought. */
  planRefs: readonly string[]
}
