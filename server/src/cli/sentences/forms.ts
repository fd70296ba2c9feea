export const SLUG = 'use lower-case letters, digits and hyphens, 64 at most, beginning and ending with a letter or digit'
export const NAME = 'the name must be one line of text'
