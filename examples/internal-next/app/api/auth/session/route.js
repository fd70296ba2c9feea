export { GET } from '@portaria/client/next'
