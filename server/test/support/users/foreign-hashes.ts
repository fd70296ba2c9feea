/** The password of most. */
const PASSWORD = 'senha de Ana 1ç'

/** Made with Python's hashlib, bcrypt with libxcrypt; argon2 and `test12345` are the published vectors of libargon2 and phpass. */
export const FOREIGN_HASHES: ReadonlyArray<[name: string, text: string, password: string, another?: string]> = [
  ['Django PBKDF2', 'pbkdf2_sha256$260000$saltsalt12$o+sviY/GrLpjtMBkQ5/SDdIWq6QpxZbyWUMhFlsEKPE=', PASSWORD],
  [
    'PBKDF2 with SHA-512',
    '$pbkdf2-sha512$i=27500,l=64$MDEyMzQ1Njc4OWFiY2RlZg$h5sA43/Lmls4+MODKjrgceZMrkc2XCsa8ggHmvAQX+83/6JuW0dkKrBD5x6lJq2th3qjXwqhZDzR8oMPEP9oug',
    PASSWORD,
  ],
  ['PBKDF2 with SHA-1', '$pbkdf2-sha1$20000$MDEyMzQ1Njc4OWFiY2RlZg$O7Hz7Wa44Mp71+EzbiF3DRK5rY0', PASSWORD],
  ['scrypt', '$scrypt$ln=14,r=8,p=2$MDEyMzQ1Njc4OWFiY2RlZg$2yU2mscm0MeBT97sSk+Lb/KhKNiceR0yxOPE6ymiGGA', PASSWORD],
  [
    'Werkzeug scrypt',
    'scrypt:32768:8:1$aGVsbG8wMTIz$b62a8135afa03af3c393f0a26e42ee286c1eb68c7737c7093df897c273bfe544f8bfdb56961e1c7430e7d9049fc2ae3b9ac5611b70b996d6e6c1f09b4e348eb7',
    PASSWORD,
  ],
  [
    'better-auth',
    '00112233445566778899aabbccddeeff:89899e32252ba5227e8b193940288ea167129a67c63b917729fe2ba7e6af6b7e4959ba7e5229c5af0757d5d0767f606cdfc42900ab19608a76cd920b253b99d9',
    PASSWORD,
  ],
  ['phpass', '$P$Babcdefgh.xFw/fkCt8DTYfNHlBveV/', PASSWORD],
  ['phpass as published', '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0', 'test12345'],
  ['bcrypt $2a$', '$2a$06$abcdefghijklmnopqrstuu8hpyQXIlcN6ucPpZkLLf1/1OaFlXuLa', PASSWORD],
  ['bcrypt $2b$', '$2b$08$abcdefghijklmnopqrstuuBWcTk0Z7zBObgWHTG2HtfhPFdYxWUgO', PASSWORD],
  ['bcrypt $2y$', '$2y$10$abcdefghijklmnopqrstuu6P/dCJDYEUTR.06mVu92ae1Bqq52yLG', PASSWORD],
  ['WordPress 6.8', '$wp$2y$06$abcdefghijklmnopqrstuu0Q0YUhu7YB/e/gFP/7QwshXZ91l5wCm', PASSWORD, 'senha de Ana 2ç'],
  ['argon2id', '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc', 'password'],
  ['argon2i', '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA', 'password'],
]

/** The vector that Firebase publishes with its own scrypt. */
export const FIREBASE_HASH =
  '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=='
