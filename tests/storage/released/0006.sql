BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0006');
CREATE TABLE answer (
	id INTEGER NOT NULL, 
	who VARCHAR NOT NULL, 
	answered_at BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE blob (
	sha256 VARCHAR NOT NULL, 
	size INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	data BLOB, packed VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (sha256)
);
INSERT INTO "blob" VALUES('1b7f15cf7ddecdc1d4d81048782148e2f94f13cd23559d17737a1951e36ed415',43,1700000000000000,X'46726F6D3A20616E6E65406578616D706C652E6F72670D0A0D0A6D6F766520703120746F204A2D31300D0A','');
INSERT INTO "blob" VALUES('55d4624df1122751bde0c0b554570db2f619647602bd87ecd6e35e191e02c6e0',11,1700000000000000,X'3C68313E31413C2F68313E','');
CREATE TABLE event (
	campaign VARCHAR NOT NULL, 
	seq INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	turn INTEGER NOT NULL, 
	exchange INTEGER NOT NULL, 
	halt INTEGER NOT NULL, 
	actor VARCHAR NOT NULL, 
	recorded_at BIGINT NOT NULL, 
	schema INTEGER NOT NULL, 
	data TEXT NOT NULL, 
	prev_hash VARCHAR NOT NULL, 
	hash VARCHAR NOT NULL, 
	PRIMARY KEY (campaign, seq)
);
INSERT INTO "event" VALUES('autumn',1,'campaign_opened',0,1,0,'office',1700000000000000,1,'{"kind":"campaign_opened","campaign":"autumn","system":"test","scenario":"field","title":"Herbst in der Lausitz, Kürassiere","roles":["french","prussian"],"scene":"5555555555555555555555555555555555555555555555555555555555555555","options":{"dice":"closed","fog":true,"hours":3}}','','2a99e28fbb0b146bf0ae9a7b0eb43a811abec24e68493d7cb7e5c8ac88c31bf9');
INSERT INTO "event" VALUES('autumn',2,'rules_pinned',0,1,0,'office',1700000000000000,1,'{"kind":"rules_pinned","system":"test","version":"1.0","content":"c"}','2a99e28fbb0b146bf0ae9a7b0eb43a811abec24e68493d7cb7e5c8ac88c31bf9','6df52ceebef431134a3a89ae792ff8896636a5a3d80d07d77ec2a9d25830564f');
INSERT INTO "event" VALUES('autumn',3,'player_enrolled',0,1,0,'office',1700000000000000,1,'{"kind":"player_enrolled","role":"french","player":"p-anne"}','6df52ceebef431134a3a89ae792ff8896636a5a3d80d07d77ec2a9d25830564f','72ad7945f0069ee18461ae9c1193422438ebe4a4e05bc39d3f68f2b10a597a54');
INSERT INTO "event" VALUES('autumn',4,'player_enrolled',0,1,0,'office',1700000000000000,1,'{"kind":"player_enrolled","role":"prussian","player":"p-bernd"}','72ad7945f0069ee18461ae9c1193422438ebe4a4e05bc39d3f68f2b10a597a54','df84cf6c8b55645f3769969f466705445f14e95bfe877de5f4c0f50e78165d66');
INSERT INTO "event" VALUES('autumn',5,'campaign_started',0,1,0,'office',1700000000000000,1,'{"kind":"campaign_started","promises":{"open":"66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925","closed":"72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793"}}','df84cf6c8b55645f3769969f466705445f14e95bfe877de5f4c0f50e78165d66','3ee9657864d9fab4d271f9236899be5dea4a6cc1520a0b671ea38ddb1a2c96ce');
INSERT INTO "event" VALUES('autumn',6,'test.rallied',0,1,0,'office',1700000000000000,1,'{"kind":"test.rallied","back":{"p1":3,"p2":0}}','3ee9657864d9fab4d271f9236899be5dea4a6cc1520a0b671ea38ddb1a2c96ce','ef9193ea93e6f39060ad3c7bac1a4683e20e1a7292bfab657cfd1ca428dbe565');
INSERT INTO "event" VALUES('autumn',7,'exchange_opened',1,1,0,'office',1700000000000000,1,'{"kind":"exchange_opened","moment":{"turn":1,"exchange":1,"halt":0},"name":"A","due":[1700000000000100],"promises":{"open":"75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a","closed":"648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b"}}','ef9193ea93e6f39060ad3c7bac1a4683e20e1a7292bfab657cfd1ca428dbe565','44a1f280e0b9bd4b599a2cd549f885675992e14d0154dad7a5cce88a7f170388');
INSERT INTO "event" VALUES('autumn',8,'message_received',1,1,0,'office',1700000000000000,1,'{"kind":"message_received","digest":"1b7f15cf7ddecdc1d4d81048782148e2f94f13cd23559d17737a1951e36ed415","source":"letter","player":"p-anne"}','44a1f280e0b9bd4b599a2cd549f885675992e14d0154dad7a5cce88a7f170388','fb549f521bc3c66f66b1d69e3af173db7f56f682b693a5fca8c0b6e64083fc49');
INSERT INTO "event" VALUES('autumn',9,'orders_accepted',1,1,0,'office',1700000000000000,1,'{"kind":"orders_accepted","role":"french","moment":{"turn":1,"exchange":1,"halt":0},"receipt":1,"text":"move p1 to J-10\ncharge","orders":[{"do":"move","piece":"p1"}],"told":[{"line":2,"judgement":"not understood","why":"no such word","rule":"SP-ORD-01"}],"digest":"0000000000000000000000000000000000000000000000000000000000000000","message":"1b7f15cf7ddecdc1d4d81048782148e2f94f13cd23559d17737a1951e36ed415"}','fb549f521bc3c66f66b1d69e3af173db7f56f682b693a5fca8c0b6e64083fc49','a601259adee5eb0c8a057ffa63e7711df79d50fce0d6c96abb24866f585794b2');
INSERT INTO "event" VALUES('autumn',10,'orders_refused',1,1,0,'office',1700000000000000,1,'{"kind":"orders_refused","role":"prussian","moment":null,"receipt":1,"text":"?","reason":"not understood","digest":"1111111111111111111111111111111111111111111111111111111111111111"}','a601259adee5eb0c8a057ffa63e7711df79d50fce0d6c96abb24866f585794b2','0e9c887f9bd56ea9703b6aea2fd47ebbe82ba7976dc624634f38880d8b44b23f');
INSERT INTO "event" VALUES('autumn',11,'orders_kept',1,1,0,'office',1700000000000000,1,'{"kind":"orders_kept","role":"prussian","moment":{"turn":2,"exchange":1,"halt":0},"receipt":2,"text":"later","digest":"2222222222222222222222222222222222222222222222222222222222222222"}','0e9c887f9bd56ea9703b6aea2fd47ebbe82ba7976dc624634f38880d8b44b23f','e462108e193d79da6a4bd5eb6400230d055bad629379440b081a7fc305477583');
INSERT INTO "event" VALUES('autumn',12,'test.moved',1,1,0,'office',1700000000000000,1,'{"kind":"test.moved","phase":"movement","dice":[{"name":"1A/melee/J-10","seed":"closed","sides":6,"faces":[4,2]}],"known":{"french":"full"},"piece":"p1","path":["J-9","J-10"],"cost":2}','e462108e193d79da6a4bd5eb6400230d055bad629379440b081a7fc305477583','388575a3152c77fbd8f07675047c7aedd3922f04c2f673c95e8c95d40c9601e7');
INSERT INTO "event" VALUES('autumn',13,'exchange_resolved',1,1,0,'office',1700000000000000,1,'{"kind":"exchange_resolved","moment":{"turn":1,"exchange":1,"halt":0},"version":"1.0","content":"c","facts":1,"state":"s","views":{"french":"v"}}','388575a3152c77fbd8f07675047c7aedd3922f04c2f673c95e8c95d40c9601e7','1879ee43990e618eaa06f629bd957e9cae2b63cd06f9286793d02afa060bd66d');
INSERT INTO "event" VALUES('autumn',14,'player_replaced',1,1,0,'office',1700000000000000,1,'{"kind":"player_replaced","role":"prussian","former":"p-bernd","player":"p-clara","reason":"ill"}','1879ee43990e618eaa06f629bd957e9cae2b63cd06f9286793d02afa060bd66d','1b3239b5e445028be6f1e0fd33c686720c485cc0ce11e742dd5fa2f215179eaf');
INSERT INTO "event" VALUES('autumn',15,'exchange_annulled',1,1,0,'office',1700000000000000,1,'{"kind":"exchange_annulled","moment":{"turn":1,"exchange":1,"halt":0},"since":12,"reason":"a wrong map"}','1b3239b5e445028be6f1e0fd33c686720c485cc0ce11e742dd5fa2f215179eaf','b0a58c2a8e6e60053a1d753e87efdb24dba66cba9f7bddf68c1fc024c4f854eb');
INSERT INTO "event" VALUES('autumn',16,'test.moved',1,1,0,'office',1700000000000000,1,'{"kind":"test.moved","phase":"movement","dice":[{"name":"1A/melee/J-10","seed":"closed","sides":6,"faces":[4,2]}],"known":{"french":"full"},"piece":"p1","path":["J-9","J-10"],"cost":2}','b0a58c2a8e6e60053a1d753e87efdb24dba66cba9f7bddf68c1fc024c4f854eb','732a7bce7626f4642dd349ea149fe4cdfa05e29615cbdadb523b0b6a751fb492');
INSERT INTO "event" VALUES('autumn',17,'exchange_resolved',1,1,0,'office',1700000000000000,1,'{"kind":"exchange_resolved","moment":{"turn":1,"exchange":1,"halt":0},"version":"1.0","content":"c","facts":1,"state":"s","views":{"french":"v"}}','732a7bce7626f4642dd349ea149fe4cdfa05e29615cbdadb523b0b6a751fb492','b53619de07314dff19a2ad3cc240bbeaf8a4815c083c3f051f5bd843306f65cd');
INSERT INTO "event" VALUES('autumn',18,'exchange_released',1,1,0,'office',1700000000000000,1,'{"kind":"exchange_released","moment":{"turn":1,"exchange":1,"halt":0},"open_seed":"0202020202020202020202020202020202020202020202020202020202020202"}','b53619de07314dff19a2ad3cc240bbeaf8a4815c083c3f051f5bd843306f65cd','5fedc5eb1739e9834ab3adf3ce04a4278e1f665844381dd97e6ff25eb791956b');
INSERT INTO "event" VALUES('autumn',19,'report_issued',1,1,0,'office',1700000000000000,1,'{"kind":"report_issued","role":"french","moment":{"turn":1,"exchange":1,"halt":0},"upto":17,"view":"v","page":"55d4624df1122751bde0c0b554570db2f619647602bd87ecd6e35e191e02c6e0"}','5fedc5eb1739e9834ab3adf3ce04a4278e1f665844381dd97e6ff25eb791956b','79abc138c953502c76717361e4b67d506a46926c6f88e84287a97e2568c67760');
CREATE TABLE heartbeat (
	id INTEGER NOT NULL, 
	seen_at BIGINT NOT NULL, 
	away_since BIGINT NOT NULL, 
	away_until BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE letter (
	id INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	received_at BIGINT NOT NULL, 
	source VARCHAR NOT NULL, 
	origin VARCHAR, 
	state VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	campaign VARCHAR, 
	seq INTEGER, 
	player VARCHAR, 
	message_id VARCHAR, 
	tries INTEGER NOT NULL, content VARCHAR DEFAULT '' NOT NULL, recipients VARCHAR DEFAULT '' NOT NULL, grade VARCHAR DEFAULT '' NOT NULL, evidence VARCHAR DEFAULT '' NOT NULL, twin INTEGER, code VARCHAR, coded_at BIGINT, 
	PRIMARY KEY (id), 
	CONSTRAINT letter_origin UNIQUE (source, origin), 
	FOREIGN KEY(digest) REFERENCES blob (sha256), 
	FOREIGN KEY(player) REFERENCES player (id)
);
INSERT INTO "letter" VALUES(1,'1b7f15cf7ddecdc1d4d81048782148e2f94f13cd23559d17737a1951e36ed415',1700000000000000,'imap','INBOX/1/7','applied','','autumn',9,'p-anne','<1@example.org>',0,'','','','',NULL,NULL,NULL);
CREATE TABLE outbox (
	id VARCHAR NOT NULL, 
	campaign VARCHAR NOT NULL, 
	player VARCHAR, 
	kind VARCHAR NOT NULL, 
	cause VARCHAR NOT NULL, 
	message_id VARCHAR NOT NULL, 
	subject VARCHAR NOT NULL, 
	digest VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	created_at BIGINT NOT NULL, 
	due_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	attempts INTEGER NOT NULL, 
	lease_until BIGINT, 
	leased_by VARCHAR, 
	answer VARCHAR NOT NULL, 
	sent_at BIGINT, 
	PRIMARY KEY (id), 
	CONSTRAINT outbox_cause UNIQUE (campaign, cause), 
	CONSTRAINT outbox_message_id UNIQUE (message_id), 
	FOREIGN KEY(player) REFERENCES player (id), 
	FOREIGN KEY(digest) REFERENCES blob (sha256)
);
INSERT INTO "outbox" VALUES('m-1','autumn','p-anne','report','report/1A/french/1','<autumn.1A.m-1@example.org>','[Autumn] 1A report','55d4624df1122751bde0c0b554570db2f619647602bd87ecd6e35e191e02c6e0','queued',1700000000000000,1700000000000000,1700432000000000,0,NULL,NULL,'',NULL);
CREATE TABLE pace (
	domain VARCHAR NOT NULL, 
	full_at BIGINT NOT NULL, 
	PRIMARY KEY (domain)
);
CREATE TABLE player (
	id VARCHAR NOT NULL, 
	name VARCHAR, 
	address VARCHAR, 
	zone VARCHAR NOT NULL, 
	created_at BIGINT NOT NULL, 
	erased_at BIGINT, epoch INTEGER DEFAULT '1' NOT NULL, stopped_at BIGINT, 
	PRIMARY KEY (id), 
	CONSTRAINT player_address UNIQUE (address)
);
INSERT INTO "player" VALUES('p-anne','Anne','anne@example.org','Europe/Berlin',1700000000000000,NULL,1,NULL);
INSERT INTO "player" VALUES('p-bernd','Bernd','bernd@example.org','Europe/Berlin',1700000000000001,NULL,1,NULL);
INSERT INTO "player" VALUES('p-clara','Clara','clara@example.org','Europe/Berlin',1700000000000002,NULL,1,NULL);
CREATE TABLE running (
	campaign VARCHAR NOT NULL, 
	pid INTEGER NOT NULL, 
	started_at BIGINT NOT NULL, 
	PRIMARY KEY (campaign)
);
CREATE TABLE secret (
	campaign VARCHAR NOT NULL, 
	open_promise VARCHAR NOT NULL, 
	closed_promise VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	open_seed BLOB NOT NULL, 
	closed_seed BLOB NOT NULL, 
	made_at BIGINT NOT NULL, 
	PRIMARY KEY (campaign, open_promise)
);
INSERT INTO "secret" VALUES('autumn','66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925','72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793','muster',X'0000000000000000000000000000000000000000000000000000000000000000',X'0101010101010101010101010101010101010101010101010101010101010101',1700000000000000);
INSERT INTO "secret" VALUES('autumn','75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a','648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b','1A',X'0202020202020202020202020202020202020202020202020202020202020202',X'0303030303030303030303030303030303030303030303030303030303030303',1700000000000000);
CREATE TABLE setback (
	mail VARCHAR NOT NULL, 
	player VARCHAR, 
	at BIGINT NOT NULL, 
	status VARCHAR NOT NULL, 
	words VARCHAR NOT NULL, 
	PRIMARY KEY (mail), 
	FOREIGN KEY(mail) REFERENCES outbox (id), 
	FOREIGN KEY(player) REFERENCES player (id)
);
CREATE TABLE snapshot (
	campaign VARCHAR NOT NULL, 
	fold VARCHAR NOT NULL, 
	seq INTEGER NOT NULL, 
	system VARCHAR NOT NULL, 
	data BLOB NOT NULL, 
	PRIMARY KEY (campaign, fold, seq)
);
CREATE INDEX letter_digest ON letter (digest);
CREATE INDEX letter_state ON letter (state);
CREATE INDEX outbox_due ON outbox (state, due_at);
CREATE INDEX letter_message_id ON letter (message_id);
CREATE INDEX answer_who ON answer (who, answered_at);
CREATE INDEX setback_player ON setback (player, at);
CREATE INDEX event_own ON event (campaign, seq) WHERE kind NOT LIKE '%.%';
CREATE TRIGGER event_follows BEFORE INSERT ON event
WHEN CASE NEW.seq
  WHEN 1 THEN NEW.prev_hash <> '' OR EXISTS (SELECT 1 FROM event WHERE campaign = NEW.campaign)
  ELSE (NEW.seq - 1, NEW.prev_hash) IS NOT
    (SELECT seq, hash FROM event WHERE campaign = NEW.campaign ORDER BY seq DESC LIMIT 1) END
BEGIN SELECT RAISE(ABORT, 'an event must follow the last one of its campaign'); END;
CREATE TRIGGER event_is_not_changed BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER event_is_not_deleted BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;
COMMIT;
