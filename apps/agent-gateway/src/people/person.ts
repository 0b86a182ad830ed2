export type Role = "viewer" | "operator" | "admin";

export interface Person {
  id: string;
  name: string;
  email: string;
  role: Role;
}

export interface NewPerson {
  name: string;
  email: string;
  password: string;
  role: Role;
}

/** A sign-in session. Without its token, which would grant access. */
export interface Session {
  id: string;
  personId: string;
  createdAt: number;
  expiresAt: number;
  address: string | null;
  client: string | null;
}

/** The stored role; an unknown one counts as the lowest. */
export function personFrom(row: { id: string; name: string; email: string; role?: unknown }): Person {
  const role = row.role === "admin" || row.role === "operator" ? row.role : "viewer";
  return { id: row.id, name: row.name, email: row.email, role };
}

export function sessionFrom(row: {
  id: string;
  userId: string;
  createdAt: Date;
  expiresAt: Date;
  ipAddress?: string | null | undefined;
  userAgent?: string | null | undefined;
}): Session {
  return {
    id: row.id,
    personId: row.userId,
    createdAt: row.createdAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
    address: row.ipAddress || null,
    client: row.userAgent || null,
  };
}
