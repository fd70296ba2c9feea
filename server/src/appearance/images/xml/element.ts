/** An element of a document that {@link parseXml} has understood whole. */
export interface XmlElement {
  name: string
  attributes: ReadonlyMap<string, string>
  children: ReadonlyArray<XmlElement | string>
}
