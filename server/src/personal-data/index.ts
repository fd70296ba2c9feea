// personal-data: all data stored about a user, in one piece. Owns: the export, its shape and its omissions. Does not own: the tables it
// reads (each floor's own store does), the pages and commands that give it out, deletion (users begins it, admin does it).
export { readPersonalData } from './export.ts'
export { readConsents } from './read-lists.ts'
export { readSignIn } from './read-sign-in.ts'
