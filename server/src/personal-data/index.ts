// personal-data: all that is kept about a user, in one piece. Owns: the export, its shape and what is left out of it. Does not own: any of
// the tables it reads (each floor's own store does), the pages and commands that give it out, or deletion (accounts begins it, admin does
// it).
export { readConsents, readPersonalData, readSignIn } from './export.ts'
