/** A form was not saved, by a decision that the form itself shows: neither a refusal of the service nor a fault. */
export class NotSaved extends Error {}
