/*
 * Lease, epoch, append, takeover, late requests and watchdog of one account: two bots, a watchdog, a database with a
 * synchronous standby, and an exchange. README.md says which statement and which function each part stands for.
 *
 * There are two phases. In chaos anything may happen in any order: a process that is not scheduled is a suspended one,
 * and a message that is lost again and again is a partition. In calm nothing is lost, nobody crashes, and time passes
 * only when no process can move. `-DNAME` plants the mutant NAME.
 */

/* Times in ticks, and counts, small enough to search exhaustively. */
#define TTL 2     /* the lease's time to live, by the database's clock; each append renews it */
#ifdef LOCAL_CLOCK_DRIFTS
#define BELIEF 3
#else
#define BELIEF 2  /* a holder whose last renewal left that long ago creates nothing, however slow its own clock is */
#endif
#define EXPIRY 3  /* the exchange refuses a create that long after its timestamp; longer than TTL, or nothing is late */
#define INTENTS 2 /* creates in all */
#ifndef EPOCHS
#define EPOCHS 2  /* no takeover begins in chaos beyond this epoch */
#endif
#ifndef FAULTS
#define FAULTS 2  /* messages lost, waits canceled, crashes; suspensions have no bound */
#endif
#ifndef SETTLED
#define SETTLED EXPIRY /* ticks of calm after which the account must be in order: the longer of TTL and EXPIRY */
#endif

#define A 0
#define B 1
#define DOG 2

mtype:phase = { STANDBY, HOLDER, LOST } /* LOST: its host never comes back */
mtype:doing = { IDLE, WAITS, DONE, ZERO_ROWS, UNSURE, READY }
mtype:kind = { NONE, TAKE, RENEW, INTENT }
mtype:place = { UNSENT, FLYING, RESTING, GONE }

/* The account's row in `heads`: head of the journal, lease and latch. */
typedef Head {
  byte epoch;
  byte seq;     /* number of the last intent */
  byte holder;
  byte lease;   /* ticks until the lease is over, by the database's clock */
  bit latch     /* the kill latch: no bot may take the lease */
}
Head head;
/* A commit whose wait for the synchronous standby was canceled is visible but not replicated: `copy` is what a failover
   brings back. The next commit that is waited for replicates everything. */
bit lag;
Head copy;

/* A statement of a bot on its way to the database. It may arrive after the bot gave up waiting or died. */
typedef Statement { bit inFlight; mtype:kind kind; byte epoch; byte seq }
Statement sql[2];

/* A bot's memory; a crash loses it. */
typedef Bot {
  mtype:phase phase;
  mtype:doing doing;  /* the append, renewal or takeover it is at */
  byte epoch;         /* its own */
  byte seq;           /* of the last record it knows */
  byte open;          /* intents (bits) that are open or unknown: they occupy the room, which is one */
  byte since;         /* ticks since the last acknowledged renewal was sent */
  byte asked          /* ticks since the present statement was sent */
}
Bot bot[2];

/* A record `intent`, and where its create is. The exchange's own view is `place`; others learn it by lists. */
typedef Intent {
  byte by;
  byte epoch;
  byte left;   /* ticks until no copy of the create can be accepted: its timestamp is in the record */
#ifdef SIGNED_AGAIN
  byte landing; /* the same by the timestamp that was sent */
#endif
  mtype:place place
}
Intent intent[INTENTS + 1];

mtype:watch = { WATCHING, CLEARING, FLAT }
mtype:watch dog;

bit calm;
byte faults;
#define may_fail (!calm && faults < FAULTS)

#ifdef SIGNED_AGAIN
#define landsFor(i) intent[i].landing
#else
#define landsFor(i) intent[i].left
#endif
#define may_land(i) ((intent[i].place == UNSENT || intent[i].place == FLYING) && landsFor(i) > 0)
#define exists(i) (i <= head.seq)
#define live(i) (exists(i) && (intent[i].place == RESTING || may_land(i)))
#define believes(b) (bot[b].since < BELIEF)
#define is_idle_holder(b) (bot[b].phase == HOLDER && bot[b].doing == IDLE)
#define has(b, i) ((bot[b].open >> i) & 1)
#define forget(b, i) bot[b].open = bot[b].open & ~(1 << i)
#define is_replicated(i) (!lag || i <= copy.seq)

/* ---- database ---------------------------------------------------------------------------------------------------- */

inline copy_head(to, from) {
  to.epoch = from.epoch; to.seq = from.seq; to.holder = from.holder;
  to.lease = from.lease; to.latch = from.latch
}

inline clear_copy() {
  copy.epoch = 0; copy.seq = 0; copy.holder = 0; copy.lease = 0; copy.latch = 0; lag = 0
}

/* To be called before a commit. Either the standby has it when the answer comes, or the wait was canceled. */
inline choose_commit(isReplicated) {
  if
  :: isReplicated = 1; clear_copy()
  :: may_fail ->
     isReplicated = 0; faults++;
     if
     :: lag
     :: else -> copy_head(copy, head); lag = 1
     fi
  fi
}

/* The lease is free for this bot. */
#ifdef TAKES_A_VALID_LEASE
#define may_take(b) (!head.latch)
#else
#define may_take(b) (!head.latch && (head.holder == b || head.lease == 0))
#endif

/* The WHERE of the statement. */
#define has_own_epoch(b) (head.epoch == sql[b].epoch)
#ifdef NO_FENCE
#define may_append(b) (head.seq == sql[b].seq)
#else
#define may_append(b) (has_own_epoch(b) && head.seq == sql[b].seq)
#endif
#define matches(b) ( \
  (sql[b].kind == TAKE && may_take(b)) || \
  (sql[b].kind == RENEW && has_own_epoch(b)) || \
  (sql[b].kind == INTENT && may_append(b)))

#define is_alone_in(e, b, i) (!exists(i) || intent[i].epoch != e || intent[i].by == b)

inline change_row(b) {
  if
  :: sql[b].kind == TAKE ->
#ifndef FENCES_LATE
     head.epoch++;
#endif
     head.holder = b
  :: sql[b].kind == INTENT ->
     assert(!live(1) && !live(2)); /* (b): nothing is in the room, or may still land there */
     assert(is_alone_in(sql[b].epoch, b, 1) && is_alone_in(sql[b].epoch, b, 2)); /* (a): one bot per epoch */
     head.seq++;
     intent[head.seq].by = b;
     intent[head.seq].epoch = sql[b].epoch;
     intent[head.seq].left = EXPIRY;
#ifdef SIGNED_AGAIN
     intent[head.seq].landing = EXPIRY;
#endif
     intent[head.seq].place = UNSENT
  :: else
  fi;
  head.lease = TTL
}

/* One connection per bot. */
proctype connection(byte b) {
  bit isReplicated;
end:
  do
  :: atomic {
       sql[b].inFlight ->
       sql[b].inFlight = 0;
       if
       :: matches(b) ->
          choose_commit(isReplicated);
          change_row(b);
          if
          :: bot[b].doing == WAITS && isReplicated ->
             bot[b].doing = DONE;
             if
             :: sql[b].kind == TAKE -> bot[b].epoch = head.epoch
             :: else
             fi
          :: else
          fi
       :: else ->
          if
          :: bot[b].doing == WAITS -> bot[b].doing = ZERO_ROWS
          :: else
          fi
       fi;
       sql[b].epoch = 0; sql[b].seq = 0; isReplicated = 0;
       if
       :: bot[b].doing == DONE || bot[b].doing == ZERO_ROWS || bot[b].doing == WAITS
       :: else -> sql[b].kind = NONE
       fi
     }
  :: atomic { sql[b].inFlight && may_fail -> faults++; sql[b].inFlight = 0; sql[b].epoch = 0; sql[b].seq = 0 }
  od
}

/* The synchronous standby becomes the database: what it lacks is lost, and none of it may have been acted on. */
proctype failover() {
end:
  do
  :: atomic {
       lag && !calm ->
       do
       :: head.seq > copy.seq ->
          assert(intent[head.seq].place == UNSENT); /* (a): no lost intent was sent */
          intent[head.seq].by = 0; intent[head.seq].epoch = 0; intent[head.seq].left = 0;
          head.seq--
       :: else -> break
       od;
       copy_head(head, copy);
       clear_copy()
     }
  od
}

/* ---- bots -------------------------------------------------------------------------------------------------------- */

inline ask(b, what) {
  sql[b].inFlight = 1; sql[b].kind = what; sql[b].epoch = bot[b].epoch; sql[b].seq = bot[b].seq;
  bot[b].doing = WAITS; bot[b].asked = 0
}

inline heard(b, next) {
  bot[b].doing = next; bot[b].asked = 0;
  if
  :: sql[b].inFlight
  :: else -> sql[b].kind = NONE
  fi
}

/* After a crash, or fenced: another process, or one that knows nothing. Its statement may still be on its way. */
inline become_standby(b) {
  heard(b, IDLE);
  bot[b].phase = STANDBY; bot[b].epoch = 0; bot[b].seq = 0; bot[b].open = 0; bot[b].since = 0
}

#ifdef COUNTS_FROM_ANSWER
#define age_of_renewal(b) 0
#else
#define age_of_renewal(b) bot[b].asked
#endif

/* A cancel, whose answer may be lost; and the proof that a create is gone: a list after its expiry lacks it. */
#define SETTLES_ORDER(i) \
  :: atomic { \
       is_idle_holder(b) && has(b, i) && intent[i].place == RESTING && (!calm || !believes(b)) -> \
       intent[i].place = GONE; \
       if \
       :: forget(b, i) \
       :: may_fail -> faults++ \
       fi \
     } \
  :: atomic { \
       is_idle_holder(b) && has(b, i) && intent[i].place != RESTING && intent[i].left == 0 -> \
       forget(b, i) \
     }

proctype process(byte b) {
#ifdef FOLDS_BEFORE_TAKING
  byte warm;
#endif
end:
  do
  /* Standby: takes the lease when it is over. A restarted holder takes its own at once. */
  :: atomic {
       bot[b].phase == STANDBY && bot[b].doing == IDLE && !sql[b].inFlight && may_take(b) &&
       (calm || head.epoch < EPOCHS) ->
#ifdef FOLDS_BEFORE_TAKING
       warm = head.seq;
#endif
       ask(b, TAKE)
     }
  /* It has taken it: folds the records up to the head; all intents before are unknown to it. */
  :: atomic {
       bot[b].phase == STANDBY && bot[b].doing == DONE ->
       bot[b].phase = HOLDER;
       bot[b].seq = head.seq;
       bot[b].since = age_of_renewal(b);
#ifdef FOLDS_BEFORE_TAKING
       bot[b].open = (1 << (warm + 1)) - 2;
       warm = 0;
#else
#ifndef IGNORES_UNKNOWN
       bot[b].open = (1 << (head.seq + 1)) - 2;
#endif
#endif
       heard(b, IDLE)
     }
  :: atomic { bot[b].phase == STANDBY && bot[b].doing == ZERO_ROWS -> become_standby(b) }

  /* Holder: renews. */
  :: atomic { is_idle_holder(b) && bot[b].since > 0 && !sql[b].inFlight -> ask(b, RENEW) }
  :: atomic {
       bot[b].phase == HOLDER && bot[b].doing == DONE && sql[b].kind == RENEW ->
       bot[b].since = age_of_renewal(b);
       heard(b, IDLE)
     }
  :: atomic { bot[b].phase == HOLDER && bot[b].doing == ZERO_ROWS && sql[b].kind == RENEW -> become_standby(b) }

  /* Holder: places an order where its room is free. The intent is durable before the create leaves. */
  :: atomic {
       is_idle_holder(b) && believes(b) && bot[b].open == 0 && bot[b].seq < INTENTS && !sql[b].inFlight ->
       assert(head.holder == b && head.lease > 0); /* (e): a bot that believes it holds the lease holds it */
       ask(b, INTENT)
     }
  :: atomic {
       bot[b].phase == HOLDER && bot[b].doing == DONE && sql[b].kind == INTENT ->
       bot[b].since = age_of_renewal(b);
       bot[b].seq++;
       bot[b].open = 1 << bot[b].seq;
       heard(b, READY)
     }
  :: atomic { bot[b].phase == HOLDER && bot[b].doing == ZERO_ROWS && sql[b].kind == INTENT -> heard(b, UNSURE) }
  /* The create leaves, maybe long after: the process may have stood still, whatever it checked before. */
  :: atomic {
       bot[b].phase == HOLDER && bot[b].doing == READY ->
       assert(bot[b].seq <= head.seq && is_replicated(bot[b].seq)); /* (a): its intent is durable … */
       assert(intent[bot[b].seq].by == b && intent[bot[b].seq].epoch == bot[b].epoch); /* (a): … in its own epoch */
       intent[bot[b].seq].place = FLYING;
#ifdef SIGNED_AGAIN
       intent[bot[b].seq].landing = EXPIRY;
#endif
#ifdef FENCES_LATE
       head.epoch++;
       bot[b].epoch = head.epoch;
#endif
       bot[b].doing = IDLE
     }

  /* No answer in time. A lost renewal or takeover is tried again; a lost append is unknown. */
  :: atomic {
       bot[b].doing == WAITS && (may_fail || !sql[b].inFlight) ->
       faults = faults + sql[b].inFlight;
       if
       :: bot[b].phase == HOLDER && sql[b].kind == INTENT -> heard(b, UNSURE)
       :: else -> heard(b, IDLE)
       fi
     }
  /* Settled by a renewal that returns the head, and waits for the standby: ours, the old head, or fenced. */
  :: atomic {
       bot[b].phase == HOLDER && bot[b].doing == UNSURE ->
       if
       :: head.epoch == bot[b].epoch && head.seq == bot[b].seq + 1 && intent[head.seq].by == b ->
#ifndef SETTLES_BY_READING
          clear_copy();
          head.lease = TTL;
          bot[b].since = 0;
#endif
          bot[b].seq++;
          bot[b].open = 1 << bot[b].seq;
          heard(b, READY)
       :: head.epoch == bot[b].epoch && head.seq == bot[b].seq -> ask(b, INTENT)
       :: else -> become_standby(b)
       fi
     }

  SETTLES_ORDER(1)
  SETTLES_ORDER(2)

  :: atomic { may_fail && (bot[b].phase == HOLDER || bot[b].doing != IDLE) -> faults++; become_standby(b) }
  :: atomic { may_fail && bot[b].phase == STANDBY && bot[b].doing == IDLE -> faults++; bot[b].phase = LOST }
  od
}

/* ---- exchange ---------------------------------------------------------------------------------------------------- */

inline accept(i) {
  if
  :: head.holder != DOG && bot[head.holder].phase == HOLDER && bot[head.holder].epoch == head.epoch &&
     intent[i].epoch != head.epoch ->
     assert(has(head.holder, i)) /* (a): the successor knows it */
  :: else
  fi;
  assert(intent[1].place != RESTING && intent[2].place != RESTING); /* (b): one order in the room */
  assert(dog != FLAT); /* (d): the watchdog has not called the account flat */
#ifdef SHOWS_LATE_CREATE
  assert(intent[i].epoch == head.epoch || head.holder == DOG);
#endif
#ifdef SHOWS_SUCCESSOR
  assert(intent[i].by != B);
#endif
  intent[i].place = RESTING
}

/* A create lands at any time before its expiry, or is refused. */
#define LANDS(i) \
  :: atomic { intent[i].place == FLYING && landsFor(i) > 0 -> accept(i) } \
  :: atomic { intent[i].place == FLYING && landsFor(i) == 0 -> intent[i].place = GONE }

proctype exchange() {
end:
  do
  LANDS(1)
  LANDS(2)
  od
}

/* ---- watchdog ---------------------------------------------------------------------------------------------------- */

#ifdef WATCHDOG_FORGETS_EXPIRY
#define is_gone(i) (!exists(i) || intent[i].place != RESTING)
#else
#define is_gone(i) (!exists(i) || (intent[i].place != RESTING && intent[i].left == 0))
#endif

#define CANCELS(i) \
  :: atomic { \
       dog == CLEARING && exists(i) && intent[i].place == RESTING -> \
       assert(head.holder == DOG || head.lease == 0); /* (d): the lease is over */ \
       intent[i].place = GONE \
     }

#ifdef WATCHDOG_STAYS_DOWN
#define may_latch() (head.lease == 0 && !head.latch)
#else
#define may_latch() (head.lease == 0 || head.latch)
#endif

proctype watchdog() {
  bit isReplicated;
end:
  do
  /* Takes the lease that is over, with the latch: from now on nobody appends. A set latch: finishes earlier work. */
  :: atomic {
       dog == WATCHING && may_latch() && (calm || head.latch || head.epoch < EPOCHS) ->
#ifdef WATCHDOG_WITHOUT_FENCE
       dog = CLEARING
#else
       choose_commit(isReplicated);
       if
       :: head.latch
       :: else -> head.epoch++
       fi;
       head.holder = DOG; head.latch = 1; head.lease = 0;
       if
       :: isReplicated -> dog = CLEARING
       :: else
       fi;
       isReplicated = 0
#endif
     }
  CANCELS(1)
  CANCELS(2)
  :: atomic {
       dog == CLEARING && is_gone(1) && is_gone(2) ->
       assert(!live(1) && !live(2)); /* (d): nothing is open, or may still land */
       dog = FLAT
     }
  :: atomic { may_fail && dog == CLEARING -> faults++; dog = WATCHING } /* it crashes, and starts again */
  od
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

#define DOWN(x) x = (x > 0 -> x - 1 : 0)
#define UP_WHILE(counts, x) x = (counts && x < BELIEF -> x + 1 : x)
#define is_asking(b) (bot[b].doing == WAITS || bot[b].doing == DONE)

inline tick() {
  DOWN(head.lease); DOWN(copy.lease);
  DOWN(intent[1].left); DOWN(intent[2].left);
#ifdef SIGNED_AGAIN
  DOWN(intent[1].landing); DOWN(intent[2].landing);
#endif
  UP_WHILE(bot[A].phase == HOLDER, bot[A].since); UP_WHILE(bot[B].phase == HOLDER, bot[B].since);
  UP_WHILE(is_asking(A), bot[A].asked); UP_WHILE(is_asking(B), bot[B].asked)
}

#define quotes(b) (is_idle_holder(b) && bot[b].epoch == head.epoch && head.holder == b && believes(b))
#define is_known_to(b, i) (!live(i) || has(b, i))
#define quotes_alone(b) (quotes(b) && bot[1 - b].phase != HOLDER && !head.latch && \
  is_known_to(b, 1) && is_known_to(b, 2))
#define is_flat (head.latch && dog == FLAT && bot[A].phase != HOLDER && bot[B].phase != HOLDER)

proctype time() {
  byte ticks;
  do
  :: d_step { !calm -> tick() }
  :: atomic { !calm -> calm = 1 }
  :: d_step { calm && timeout && ticks < SETTLED -> tick(); ticks++ }
  :: calm && timeout && ticks == SETTLED -> break
  od;
#ifdef SHOWS_FLAT
  assert(!is_flat || !exists(1));
#endif
  assert(is_flat || quotes_alone(A) || quotes_alone(B)) /* (c) */
}

init {
  d_step {
    head.epoch = 1; head.holder = A; head.lease = TTL;
    bot[A].phase = HOLDER; bot[A].doing = IDLE; bot[A].epoch = 1;
    bot[B].phase = STANDBY; bot[B].doing = IDLE;
    sql[A].kind = NONE; sql[B].kind = NONE;
    intent[1].place = UNSENT; intent[2].place = UNSENT;
    dog = WATCHING
  }
  atomic { run connection(A); run connection(B); run process(A); run process(B);
    run failover(); run exchange(); run watchdog(); run time() }
}
